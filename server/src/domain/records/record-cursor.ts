import { DomainError } from '../errors.ts';
import type { RecordPosition } from './record-lists.ts';

/** A place in a list of records and the list's filters as text, for the address of the next page. */
export function writeRecordCursor({ dateMs, id }: RecordPosition, filterHash: string): string {
  return Buffer.from(JSON.stringify([dateMs, id, filterHash])).toString('base64url');
}

/** Takes exactly what `writeRecordCursor` gives. One of a list with other filters is a mismatch. */
export function readRecordCursor(text: string, filterHash: string): RecordPosition {
  const [dateMs, id, theirs] = parseList(Buffer.from(text, 'base64url').toString());
  const isOurs =
    Number.isSafeInteger(dateMs) &&
    typeof id === 'string' &&
    typeof theirs === 'string' &&
    writeRecordCursor({ dateMs: Number(dateMs), id }, theirs) === text;
  if (!isOurs) {
    throw new DomainError('invalid_input', { detail: 'cursor must be the nextCursor of an earlier page' });
  }
  if (theirs !== filterHash) {
    throw new DomainError('cursor_mismatch');
  }
  return { dateMs: Number(dateMs), id };
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
