import { DomainError } from '../errors.ts';
import type { ListPlace } from './ledger-views.ts';

const NUMBER = '(0|-?[1-9]\\d*)';
const PLACE = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}\\.${NUMBER}$`);

/** A position in the guild's list, encoded for the address of the next page. */
export function cursorOf({ value, createdAtMs, accountNo, seq }: ListPlace): string {
  return Buffer.from(`${value}.${createdAtMs}.${accountNo}.${seq}`).toString('base64url');
}

/** Decodes a cursor of `cursorOf`, and refuses any other text. */
export function readCursor(text: string): ListPlace {
  const found = PLACE.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const [value = NaN, createdAtMs = NaN, accountNo = NaN, seq = NaN] = found?.slice(1).map(Number) ?? [];
  const place = { value, createdAtMs, accountNo, seq };
  if (!Object.values(place).every(Number.isSafeInteger) || cursorOf(place) !== text) {
    throw new DomainError('invalid_input', { detail: 'before must be the next of an earlier page' });
  }
  return place;
}
