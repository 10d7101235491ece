import type { VerifiedName } from '../../domain/model.ts';
import { statement } from '../sql.ts';
import { LAST_VERIFIED_AT_END } from './holder-sql.ts';

const findBy = (column: 'chat_id' | 'player_id') =>
  statement<VerifiedName>(
    ({ isOneOf }) =>
      `SELECT w.chat_id AS "chatId", w.player_id AS "playerId", w.username FROM verification AS w
       WHERE ${isOneOf(`w.${column}`, { value: '$1', type: 'text' })} ${LAST_VERIFIED_AT_END}`,
  );

/** Verified people by a list of their ids of one kind. */
export const VERIFIED_BY = { chat: findBy('chat_id'), player: findBy('player_id') };

/** The holder of each game account. Of two people with one game account, the last one counts. */
export function byPlayer(people: readonly VerifiedName[]): Map<string, VerifiedName> {
  return new Map(people.map((person) => [person.playerId, person]));
}
