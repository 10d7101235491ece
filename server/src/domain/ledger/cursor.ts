import { hash } from 'node:crypto';
import { DomainError } from '../errors.ts';

const FILTER_HASH_LENGTH = 16;

/** A hash of a list's filters. Cursors contain it, so that a cursor of another list is refused. */
export function hashFilters(filters: readonly (string | number | undefined)[]): string {
  const text = JSON.stringify(filters.map((value) => value ?? null));
  return hash('sha256', text, 'hex').slice(0, FILTER_HASH_LENGTH);
}

/** A position in a list and the hash of its filters, encoded for the address of the next page. */
export function writeCursor(position: readonly number[], filterHash: string): string {
  return Buffer.from([...position, filterHash].join('.')).toString('base64url');
}

/** Decodes a cursor of `writeCursor` with `count` numbers. A cursor of a list with other filters is refused. */
export function readPosition(text: string, count: number, filterHash: string): number[] {
  const parts = Buffer.from(text, 'base64url').toString('latin1').split('.');
  const position = parts.slice(0, -1).map(Number);
  const theirs = parts.at(-1) ?? '';
  const isOurs =
    position.length === count &&
    position.every(Number.isSafeInteger) &&
    /^[0-9a-f]{16}$/.test(theirs) &&
    writeCursor(position, theirs) === text;
  if (!isOurs) {
    throw new DomainError('invalid_input', { detail: 'cursor must be the nextCursor of an earlier page' });
  }
  if (theirs !== filterHash) {
    throw new DomainError('cursor_mismatch');
  }
  return position;
}
