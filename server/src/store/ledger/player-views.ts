import {
  type AccountFunds,
  NAME_CANDIDATES_MAX,
  OVERDRAWN_COUNTED_MAX,
  type Overdrawn,
  type PlayerAccount,
  type PlayerBalance,
  RANKS_COUNTED_MAX,
} from '../../domain/ledger/ledger-views.ts';
import type { Engine } from '../jobs.ts';
import { holderSql } from '../people/holder-sql.ts';
import { nameKey } from '../records/record-keys.ts';
import { statement } from '../sql.ts';
import { accountsByBalance } from './accounts-by-balance.ts';

interface BalanceRow {
  playerId: string;
  username: string | null;
  balanceUnits: number;
  transactions: number;
}

interface AccountRow extends BalanceRow {
  chatId: string | null;
  floorUnits: number | null;
  firstAtMs: number;
  lastAtMs: number;
}

/** `text + LAST_CHARACTER` sorts after every text that begins with `text`. */
export const LAST_CHARACTER = '\u{10ffff}';

const COLUMNS = `a.player_id AS "playerId", (${holderSql('username', 'a.player_id')}) AS username,
  a.balance AS "balanceUnits", a.transaction_count AS transactions`;
const BALANCE = `SELECT ${COLUMNS}`;
const BELOW_ZERO = { sortOrder: 'asc', isBelowZero: true } as const;
const FIND_LARGEST = statement<BalanceRow>((dialect) =>
  accountsByBalance(dialect, { columns: COLUMNS, sortOrder: 'desc', limit: '$2' }),
);
const FIND_LOWEST = statement<BalanceRow>((dialect) =>
  accountsByBalance(dialect, { columns: COLUMNS, ...BELOW_ZERO, limit: '$2' }),
);
const COUNT_BELOW = statement<{ count: number }>((dialect) => {
  const found = accountsByBalance(dialect, {
    columns: 'a.account_no',
    ...BELOW_ZERO,
    limit: String(OVERDRAWN_COUNTED_MAX),
  });
  return `SELECT count(*) AS count FROM (${found}) AS below`;
});
/** No account has this number, so that the page begins after all accounts of the given balance. */
const AFTER_ALL = '9223372036854775807';
const COUNT_ABOVE = statement<{ count: number }>((dialect) => {
  const found = accountsByBalance(dialect, {
    columns: 'a.account_no',
    sortOrder: 'asc',
    after: { balance: '$2', accountNo: AFTER_ALL },
    limit: String(RANKS_COUNTED_MAX),
  });
  return `SELECT count(*) AS count FROM (${found}) AS above`;
});
const FIND_ONE = statement<AccountRow>(
  `${BALANCE}, (${holderSql('chat_id', 'a.player_id')}) AS "chatId", a.floor AS "floorUnits",
     a.last_created_at AS "lastAtMs", coalesce(a.opened_at, (SELECT t.created_at FROM ledger_transaction AS t
      WHERE t.guild_no = $1 AND t.account_no = a.account_no AND t.seq = 1)) AS "firstAtMs"
   FROM account AS a WHERE a.guild_no = $1 AND a.player_id = $2`,
);
const FIND_FUNDS = statement<Omit<AccountFunds, 'floorUnits'> & { floorUnits: number | null }>(
  ({ isOneOf }) =>
    `SELECT a.player_id AS "playerId", a.balance AS "balanceUnits", a.floor AS "floorUnits" FROM account AS a
     WHERE a.guild_no = $1 AND ${isOneOf('a.player_id', { value: '$2', type: 'text' })}`,
);
const FIND_BY_ID = statement<BalanceRow>(
  `${BALANCE} FROM account AS a WHERE a.guild_no = $1 AND a.player_id >= $2 AND a.player_id < $3
   ORDER BY a.player_id LIMIT $4`,
);
const FIND_BY_NAME = statement<BalanceRow>(
  `${BALANCE} FROM (SELECT player_id, name_key, chat_id FROM verification
     WHERE name_key >= $1 AND name_key < $2 ORDER BY name_key, chat_id LIMIT ${NAME_CANDIDATES_MAX}) AS named
   CROSS JOIN account AS a WHERE a.guild_no = $3 AND a.player_id = named.player_id
   ORDER BY named.name_key, named.chat_id LIMIT $4`,
);

/** Finds players of a guild. A player without an account in it is never found. */
export function createPlayerViews({ read, inSnapshot }: Pick<Engine, 'read' | 'inSnapshot'>) {
  return {
    largest: async (guildNo: number, limit: number): Promise<PlayerBalance[]> =>
      (await read.all(FIND_LARGEST, [guildNo, limit])).map(toBalance),

    above: async (guildNo: number, balanceUnits: number): Promise<number> =>
      (await read.first(COUNT_ABOVE, [guildNo, balanceUnits]))?.count ?? 0,

    overdrawn: (guildNo: number, limit: number): Promise<Overdrawn> =>
      inSnapshot(async (sql) => ({
        players: (await sql.all(FIND_LOWEST, [guildNo, limit])).map(toBalance),
        count: (await sql.first(COUNT_BELOW, [guildNo]))?.count ?? 0,
      })),

    async find(guildNo: number, playerId: string): Promise<PlayerAccount | undefined> {
      const row = await read.first(FIND_ONE, [guildNo, playerId]);
      return row && toAccount(row);
    },

    async funds(guildNo: number, playerIds: readonly string[]): Promise<AccountFunds[]> {
      const rows = await read.all(FIND_FUNDS, [guildNo, playerIds]);
      return rows.map((row) => ({ ...row, floorUnits: row.floorUnits ?? undefined }));
    },

    search: (guildNo: number, text: string, limit: number): Promise<PlayerBalance[]> =>
      inSnapshot(async (sql) => {
        const name = nameKey(text);
        const named = await sql.all(FIND_BY_NAME, [name, name + LAST_CHARACTER, guildNo, limit]);
        const ids = await sql.all(FIND_BY_ID, [guildNo, text, text + LAST_CHARACTER, limit]);
        return rankPlayers(text, { named, ids }, limit);
      }),
  };
}

/** The player with exactly this id comes first, then verified names, then other ids. Nobody occurs twice. */
function rankPlayers(
  text: string,
  { named, ids }: { named: readonly BalanceRow[]; ids: readonly BalanceRow[] },
  limit: number,
): PlayerBalance[] {
  const exact = ids.filter(({ playerId }) => playerId === text);
  const found = new Map([...exact, ...named, ...ids].map((row) => [row.playerId, row]));
  return Array.from(found.values(), toBalance).slice(0, limit);
}

function toAccount(row: AccountRow): PlayerAccount {
  const { chatId, floorUnits, firstAtMs, lastAtMs } = row;
  return {
    ...toBalance(row),
    chatId: chatId ?? undefined,
    floorUnits: floorUnits ?? undefined,
    firstAtMs,
    lastAtMs,
  };
}

function toBalance({ playerId, username, balanceUnits, transactions }: BalanceRow): PlayerBalance {
  return { playerId, username: username ?? undefined, balanceUnits, transactions };
}
