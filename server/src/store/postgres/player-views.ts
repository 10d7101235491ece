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
import { prepare, type Runner, type Snapshot } from './statement.ts';

/** A game account has one verified holder; the order decides should there ever be two. */
const holder = (column: 'username' | 'chat_id') =>
  `(SELECT v.${column} FROM verification AS v WHERE v.player_id = a.player_id
    ORDER BY v.verified_at DESC, v.chat_id DESC LIMIT 1)`;

const BALANCE = `SELECT a.player_id AS "playerId", ${holder('username')} AS username, a.balance AS "balanceUnits",
  a.transaction_count AS transactions`;
const FIND_LARGEST = prepare<BalanceRow>(
  `${BALANCE} FROM account AS a WHERE a.guild_no = $1 ORDER BY a.balance DESC, a.account_no DESC LIMIT $2`,
);
const FIND_LOWEST = prepare<BalanceRow>(
  `${BALANCE} FROM account AS a WHERE a.guild_no = $1 AND a.balance < 0 ORDER BY a.balance, a.account_no LIMIT $2`,
);
const COUNT_BELOW = prepare<{ count: number }>(
  `SELECT count(*) AS count FROM (SELECT 1 FROM account WHERE guild_no = $1 AND balance < 0
     LIMIT ${OVERDRAWN_COUNTED_MAX}) AS below`,
);
const FIND_ONE = prepare<AccountRow>(
  `${BALANCE}, ${holder('chat_id')} AS "chatId", a.floor AS "floorUnits", a.last_created_at AS "lastAtMs",
     (SELECT t.created_at FROM ledger_transaction AS t
      WHERE t.guild_no = $1 AND t.account_no = a.account_no AND t.seq = 1) AS "firstAtMs"
   FROM account AS a WHERE a.guild_no = $1 AND a.player_id = $2`,
);
const FIND_BY_ID = prepare<BalanceRow>(
  `${BALANCE} FROM account AS a WHERE a.guild_no = $1 AND a.player_id >= $2 AND a.player_id < $3
   ORDER BY a.player_id LIMIT $4`,
);
const FIND_BY_NAME = prepare<BalanceRow>(
  `${BALANCE} FROM (SELECT player_id, name_key, chat_id FROM verification
     WHERE name_key >= $1 AND name_key < $2 ORDER BY name_key, chat_id LIMIT ${NAME_CANDIDATES_MAX}) AS named
   CROSS JOIN account AS a WHERE a.guild_no = $3 AND a.player_id = named.player_id
   ORDER BY named.name_key, named.chat_id LIMIT $4`,
);

/** Finds players of a guild. Whoever has no account in it does not exist here. */
export function createPlayerViews(read: Runner, inSnapshot: Snapshot) {
  return {
    largest: async (guildNo: number, limit: number): Promise<PlayerBalance[]> =>
      (await read.all(FIND_LARGEST, [guildNo, limit])).map(toBalance),

    overdrawn: (guildNo: number, limit: number): Promise<Overdrawn> =>
      inSnapshot(async (moment) => ({
        players: (await moment.all(FIND_LOWEST, [guildNo, limit])).map(toBalance),
        count: (await moment.first(COUNT_BELOW, [guildNo]))?.count ?? 0,
      })),

    async find(guildNo: number, playerId: string): Promise<PlayerAccount | undefined> {
      const row = await read.first(FIND_ONE, [guildNo, playerId]);
      return row && toAccount(row);
    },

    search: (guildNo: number, text: string, limit: number): Promise<PlayerBalance[]> =>
      inSnapshot(async (moment) => {
        const name = nameKey(text);
        const named = await moment.all(FIND_BY_NAME, [name, name + LAST_CHARACTER, guildNo, limit]);
        const ids = await moment.all(FIND_BY_ID, [guildNo, text, text + LAST_CHARACTER, limit]);
        return rankPlayers(text, { named, ids }, limit);
      }),
  };
}
