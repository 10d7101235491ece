import { hash } from 'node:crypto';
import { DomainError } from '../errors.ts';
import { ADDED_FIELDS, INTERFACE_FIELDS } from '../model.ts';

type Kind = keyof typeof INTERFACE_FIELDS;

/** The versions of a record that a change may apply to: those with one of these tags, or any. */
export type RecordMatch = readonly string[] | '*';

/** A hash of a record: equal fields have the same tag in every store. A field that a record lacks does not change its tag. */
export function recordTag(kind: Kind, record: object): string {
  const added = ADDED_FIELDS[kind].filter((name) => name in record);
  const content = [
    ...INTERFACE_FIELDS[kind].map((name): unknown => Reflect.get(record, name)),
    ...added.map((name) => [name, Reflect.get(record, name)]),
  ];
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, 22);
}

/** Refuses a change of a record that is missing or does not have one of the expected tags. */
export function assertMatch(kind: Kind, present: object | undefined, match: RecordMatch | undefined): void {
  if (match === undefined) {
    return;
  }
  const isMeant = present !== undefined && (match === '*' || match.includes(recordTag(kind, present)));
  if (!isMeant) {
    throw new DomainError('record_changed');
  }
}
