/**
 * Several people may share a name or a past game account, and in a damaged store a present one. The person who was
 * verified last wins, then the one whose chatId sorts last, so that the result is deterministic. These two orders of
 * `verification AS w` are the only declaration of that rule.
 */
export const LAST_VERIFIED = 'ORDER BY w.verified_at DESC, w.chat_id DESC LIMIT 1';
/** For a list of people: a later one replaces an earlier one with the same game account. */
export const LAST_VERIFIED_AT_END = 'ORDER BY w.verified_at, w.chat_id';

/** Selects a column of the person who is verified with a game account. `playerId` is an SQL expression. */
export function holderSql(column: 'username' | 'chat_id', playerId: string): string {
  return `SELECT w.${column} FROM verification AS w WHERE w.player_id = ${playerId} ${LAST_VERIFIED}`;
}
