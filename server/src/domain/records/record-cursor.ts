import { DomainError } from '../errors.ts';
import type { RecordPosition } from './record-lists.ts';

/** A position in a list of records and the hash of its filters, encoded for the address of the next page. */
export function writeRecordCursor({ dateMs, id }: RecordPosition, filterHash: string): string {
  return Buffer.from(JSON.stringify([dateMs, id, filterHash])).toString('base64url');
}

/** Decodes a cursor of `writeRecordCursor`. A cursor of a list with other filters is refused. */
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
