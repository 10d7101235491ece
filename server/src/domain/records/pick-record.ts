import { type Discharge, RECORD_FIELDS, type Transfer } from '../model.ts';

interface Records {
  discharge: Discharge;
  transfer: Transfer;
}

/** Copies the fields of a record and no others, so that further properties of the caller's object are neither stored nor shown. */
export function pickRecord<Kind extends keyof Records>(kind: Kind, record: Records[Kind]): Records[Kind] {
  const picked: Record<string, unknown> = {};
  for (const field of RECORD_FIELDS[kind]) {
    picked[field] = Reflect.get(record, field);
  }
  // Every field of the kind was set.
  return picked as Records[Kind];
}
