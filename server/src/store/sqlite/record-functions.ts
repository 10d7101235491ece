import type { DatabaseSync } from 'node:sqlite';
import { nameKey, searchKey, timeOfDate } from '../records/record-keys.ts';

/** Adds SQL functions that compute the keys stored with records, for the migration and for checks. */
export function addRecordFunctions(db: DatabaseSync): void {
  const add = (name: string, compute: (text: string) => number | string) =>
    db.function(name, { deterministic: true, directOnly: true }, (text) => compute(String(text)));
  add('time_of_date', timeOfDate);
  add('name_key', nameKey);
  add('search_key', searchKey);
}
