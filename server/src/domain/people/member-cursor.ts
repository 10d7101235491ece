import { DomainError } from '../errors.ts';
import { hashFilters } from '../ledger/cursor.ts';
import type { MemberPosition } from './member-store.ts';

/** The filters and the order of a list. */
type Filters = readonly (string | undefined)[];

/** A position in the list of members and the list's filters, encoded for the address of the next page. */
export function writeMemberCursor(position: MemberPosition, filters: Filters): string {
  return Buffer.from(JSON.stringify([...placeOf(position), hashFilters(filters)])).toString('base64url');
}

function placeOf(position: MemberPosition): (string | number)[] {
  if ('playerId' in position) {
    return [position.playerId];
  }
  return 'skipped' in position ? [position.skipped] : [position.balanceUnits, position.accountNo];
}

/** Decodes a cursor of `writeMemberCursor`. A cursor of a list with other filters is refused. */
export function readMemberCursor(text: string, filters: Filters): MemberPosition {
  const parts = parseList(Buffer.from(text, 'base64url').toString());
  const [first, second] = parts;
  const isAccount = parts.length === 3 && Number.isSafeInteger(first) && Number.isSafeInteger(second);
  const isPlayer = parts.length === 2 && typeof first === 'string';
  const isCount = parts.length === 2 && Number.isSafeInteger(first) && Number(first) >= 0;
  if (!isAccount && !isPlayer && !isCount) {
    throw new DomainError('invalid_input', { detail: 'cursor must be the nextCursor of an earlier page' });
  }
  if (parts.at(-1) !== hashFilters(filters)) {
    throw new DomainError('cursor_mismatch');
  }
  if (isCount) {
    return { skipped: Number(first) };
  }
  return isAccount ? { balanceUnits: Number(first), accountNo: Number(second) } : { playerId: String(first) };
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
