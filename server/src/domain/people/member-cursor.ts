import { DomainError } from '../errors.ts';
import { hashFilters } from '../ledger/cursor.ts';
import type { MemberPosition } from './member-store.ts';

/** A position in the list of members and the search text, encoded for the address of the next page. */
export function writeMemberCursor(position: MemberPosition, search: string | undefined): string {
  const place = 'playerId' in position ? [position.playerId] : [position.balanceUnits, position.accountNo];
  return Buffer.from(JSON.stringify([...place, hashFilters([search])])).toString('base64url');
}

/** Decodes a cursor of `writeMemberCursor`. A cursor of another search is refused. */
export function readMemberCursor(text: string, search: string | undefined): MemberPosition {
  const parts = parseList(Buffer.from(text, 'base64url').toString());
  const [first, second] = parts;
  const isAccount = parts.length === 3 && Number.isSafeInteger(first) && Number.isSafeInteger(second);
  const isPlayer = parts.length === 2 && typeof first === 'string';
  if (!isAccount && !isPlayer) {
    throw new DomainError('invalid_input', { detail: 'cursor must be the nextCursor of an earlier page' });
  }
  if (parts.at(-1) !== hashFilters([search])) {
    throw new DomainError('cursor_mismatch');
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
