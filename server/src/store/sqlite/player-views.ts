import type { DatabaseSync } from 'node:sqlite';
import {
  NAME_CANDIDATES_MAX,
  OVERDRAWN_COUNTED_MAX,
  type Overdrawn,
  type PlayerAccount,
  type PlayerBalance,
} from '../../domain/ledger/ledger-views.ts';
import {
  type AccountRow,
  type BalanceRow,
  LAST_CHARACTER,
  rankPlayers,
  toAccount,
  toBalance,
} from '../player-rows.ts';
import { nameKey } from '../record-keys.ts';
import { inSnapshot, prepare } from './connection.ts';

/** A game account has one verified holder; should there ever be two, the index decides. */
const holder = (column: 'username' | 'chat_id') =>
  `(SELECT v.${column} FROM verification AS v WHERE v.player_id = a.player_id
    ORDER BY v.chat_id DESC LIMIT 1)`;

const BALANCE = `SELECT a.player_id AS playerId, ${holder('username')} AS username, a.balance AS balanceUnits,
  a.transaction_count AS transactions`;

/** Finds players of a guild. Whoever has no account in it does not exist here. */
export function createPlayerViews(db: DatabaseSync) {
  const findLargest = prepare<BalanceRow>(
    db,
    `${BALANCE} FROM account AS a INDEXED BY account_by_balance WHERE a.guild_no = ?
     ORDER BY a.balance DESC, a.account_no DESC LIMIT ?`,
  );
  const findLowest = prepare<BalanceRow>(
    db,
    `${BALANCE} FROM account AS a INDEXED BY account_by_balance WHERE a.guild_no = ? AND a.balance < 0
     ORDER BY a.balance, a.account_no LIMIT ?`,
  );
  const countBelow = prepare<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM (SELECT 1 FROM account INDEXED BY account_by_balance
       WHERE guild_no = ? AND balance < 0 LIMIT ${OVERDRAWN_COUNTED_MAX})`,
  );
  const findOne = prepare<AccountRow>(
    db,
    `${BALANCE}, ${holder('chat_id')} AS chatId, a.floor AS floorUnits, a.last_created_at AS lastAtMs,
       (SELECT t.created_at FROM ledger_transaction AS t
        WHERE t.guild_no = a.guild_no AND t.account_no = a.account_no AND t.seq = 1) AS firstAtMs
     FROM account AS a WHERE a.guild_no = ? AND a.player_id = ?`,
  );
  const findById = prepare<BalanceRow>(
    db,
    `${BALANCE} FROM account AS a WHERE a.guild_no = ? AND a.player_id >= ? AND a.player_id < ?
     ORDER BY a.player_id LIMIT ?`,
  );
  const findByName = prepare<BalanceRow>(
    db,
    `${BALANCE} FROM (SELECT player_id, name_key, chat_id FROM verification
       WHERE name_key >= ? AND name_key < ? ORDER BY name_key, chat_id LIMIT ${NAME_CANDIDATES_MAX}) AS named
     CROSS JOIN account AS a WHERE a.guild_no = ? AND a.player_id = named.player_id
     ORDER BY named.name_key, named.chat_id LIMIT ?`,
  );

  return {
    largest: (guildNo: number, limit: number): PlayerBalance[] =>
      findLargest.all(guildNo, limit).map(toBalance),

    overdrawn: (guildNo: number, limit: number): Overdrawn =>
      inSnapshot(db, () => ({
        players: findLowest.all(guildNo, limit).map(toBalance),
        count: countBelow.get(guildNo)?.count ?? 0,
      })),

    find(guildNo: number, playerId: string): PlayerAccount | undefined {
      const row = findOne.get(guildNo, playerId);
      return row && toAccount(row);
    },

    search(guildNo: number, text: string, limit: number): PlayerBalance[] {
      const name = nameKey(text);
      const named = findByName.all(name, name + LAST_CHARACTER, guildNo, limit);
      const ids = findById.all(guildNo, text, text + LAST_CHARACTER, limit);
      return rankPlayers(text, { named, ids }, limit);
    },
  };
}
