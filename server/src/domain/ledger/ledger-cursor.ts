import { DomainError } from '../errors.ts';
import type { LedgerPosition } from './ledger-views.ts';

const POSITION = /^(0|-?[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** A place in the guild's list as text, for the address of the next page. */
export function cursorOf({ createdAtMs, accountNo, seq }: LedgerPosition): string {
  return Buffer.from(`${createdAtMs}.${accountNo}.${seq}`).toString('base64url');
}

/** Takes exactly what `cursorOf` gives, and refuses everything else. */
export function readCursor(text: string): LedgerPosition {
  const found = POSITION.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const [createdAtMs = NaN, accountNo = NaN, seq = NaN] = found?.slice(1).map(Number) ?? [];
  const position = { createdAtMs, accountNo, seq };
  if (![createdAtMs, accountNo, seq].every(Number.isSafeInteger) || cursorOf(position) !== text) {
    throw new DomainError('invalid_input', { detail: 'before must be the next of an earlier page' });
  }
  return position;
}
