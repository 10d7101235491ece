import type { DatabaseSync } from 'node:sqlite';
import { nameKey, searchKey, timeOfDate } from '../records/record-keys.ts';

/** Lets SQL compute what the writer writes beside records: for the migration, and to verify it. */
export function addRecordFunctions(db: DatabaseSync): void {
  const add = (name: string, compute: (text: string) => number | string) =>
    db.function(name, { deterministic: true, directOnly: true }, (text) => compute(String(text)));
  add('time_of_date', timeOfDate);
  add('name_key', nameKey);
  add('search_key', searchKey);
}
