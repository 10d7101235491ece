import { ADDED_FIELDS, type Discharge, INTERFACE_FIELDS, RECORD_FIELDS, type Transfer } from '../model.ts';

interface Records {
  discharge: Discharge;
  transfer: Transfer;
}

/** Copies the fields of a record and no others, so that further properties of the caller's object are not stored. */
export function pickRecord<Kind extends keyof Records>(kind: Kind, record: Records[Kind]): Records[Kind] {
  return withoutEmpty(kind, pick(record, RECORD_FIELDS[kind]) as Records[Kind]);
}

/** Copies the fields that the interface shows, so that its answers have no others. */
export function pickInterfaceFields<Kind extends keyof Records>(kind: Kind, record: Records[Kind]): object {
  return pick(record, INTERFACE_FIELDS[kind]);
}

function pick(record: object, fields: readonly string[]): object {
  const picked: Record<string, unknown> = {};
  for (const field of fields) {
    picked[field] = Reflect.get(record, field);
  }
  return picked;
}

/** A record without those of its added fields that are empty, or NULL in a row. */
export function withoutEmpty<Kind extends keyof Records>(kind: Kind, record: Records[Kind]): Records[Kind] {
  const added: readonly string[] = ADDED_FIELDS[kind];
  const isEmpty = (field: string) => field in record && !Reflect.get(record, field);
  if (!added.some(isEmpty)) {
    return record;
  }
  const kept = Object.entries(record).filter(([field]) => !added.includes(field) || !isEmpty(field));
  // Only fields that a record may lack are left out.
  return Object.fromEntries(kept) as Records[Kind];
}
