import type { SortOrder } from '../../domain/model.ts';
import type {
  Member,
  MemberFilter,
  MemberPage,
  MemberPosition,
  MemberQuery,
  MemberSortKey,
  MemberState,
} from '../../domain/people/member-store.ts';
import { MEMBERS_LOOKED_AT_MAX } from '../../domain/people/member-store.ts';
import type { Dialect } from '../dialect.ts';
import { accountsByBalance } from '../ledger/accounts-by-balance.ts';
import { nameKey } from '../records/record-keys.ts';
import { holderSql, LAST_VERIFIED } from './holder-sql.ts';

export interface MemberRow {
  /** Null for players without an account. */
  accountNo: number | null;
  playerId: string;
  recordName: string | null;
  chatId: string | null;
  username: string | null;
  pastUsers: string | { playerId: string; username: string }[] | null;
  formerChatId: string | null;
  formerPlayerId: string | null;
  formerUsername: string | null;
  balanceUnits: number;
  transactions: number;
}

const PERSON = `LEFT JOIN verification AS v ON v.chat_id = (${holderSql('chat_id', 'm.player_id')})`;
const FORMER =
  'LEFT JOIN verification AS f ON v.chat_id IS NULL AND f.chat_id = (SELECT w.chat_id FROM past_user AS p ' +
  `JOIN verification AS w ON w.chat_id = p.chat_id WHERE p.player_id = m.player_id ${LAST_VERIFIED})`;

/** The filters of a list that change its statement. */
export interface MemberShape {
  hasSearch: boolean;
  state: MemberState | undefined;
}

export function memberShape({ search, state }: MemberFilter): MemberShape {
  return { hasSearch: search !== undefined, state };
}

const IN_STATE: Readonly<Record<MemberState, string>> = {
  verified: 'v.chat_id IS NOT NULL',
  unverified: 'v.chat_id IS NULL',
  overdrawn: 'm.balance < 0',
};

/** Rows with account number, player, balance and number of transactions. */
interface MemberSource {
  sql: string;
  /** The number of its values, the guild included. */
  values: number;
}

type RecordTable = 'discharge' | 'transfer';

const recordOf = ({ indexedBy }: Dialect, table: RecordTable, condition = '') =>
  `FROM ${table} AS r ${indexedBy(`${table}_by_player`)} ` +
  `WHERE r.guild_no = $1 AND r.player_id = m.player_id${condition}`;

/** The first of a column's values in the records of the member. */
function firstInRecords(dialect: Dialect, column: 'name' | 'name_key'): string {
  const of = (table: RecordTable) => `(SELECT min(r.${column}) ${recordOf(dialect, table)})`;
  return `coalesce(${of('discharge')}, ${of('transfer')})`;
}

/** The rows of `source` that match, with the people behind them. Values: those of `source`, then those of a search. */
function matchingMembers(dialect: Dialect, source: MemberSource, { hasSearch, state }: MemberShape): string {
  const name = `$${source.values + 1}`;
  const id = `$${source.values + 2}`;
  const inRecord = (table: RecordTable) =>
    `EXISTS (SELECT 1 ${recordOf(dialect, table, ` AND ${dialect.contains('r.name_key', name)}`)})`;
  const search = hasSearch
    ? ` AND (${dialect.contains('m.player_id', id)} OR ${dialect.contains('v.name_key', name)} ` +
      `OR ${dialect.contains('v.chat_id', id)} OR ${dialect.contains('f.name_key', name)} ` +
      `OR EXISTS (SELECT 1 FROM past_user AS p WHERE p.chat_id = coalesce(v.chat_id, f.chat_id) ` +
      `AND (${dialect.contains('p.name_key', name)} OR ${dialect.contains('p.player_id', id)})) ` +
      `OR ${inRecord('discharge')} OR ${inRecord('transfer')})`
    : '';
  const inState = state === undefined ? '' : ` AND ${IN_STATE[state]}`;
  return `FROM (${source.sql}) AS m ${PERSON} ${FORMER} WHERE true${search}${inState}`;
}

/**
 * Members with the people behind them. Values: those of `source`, those of a search, the limit. `source` bounds how
 * many rows are visited; only matching rows get all columns.
 */
function memberSql(
  dialect: Dialect,
  { order, ...source }: MemberSource & { order: string },
  shape: MemberShape,
): string {
  return (
    'SELECT m.account_no AS "accountNo", m.player_id AS "playerId", m.balance AS "balanceUnits", ' +
    `m.transaction_count AS transactions, ${firstInRecords(dialect, 'name')} ` +
    'AS "recordName", v.chat_id AS "chatId", v.username, ' +
    `(SELECT ${dialect.jsonList({ playerId: 'p.player_id', username: 'p.username' }, 'p.position')} ` +
    `FROM past_user AS p WHERE p.chat_id = v.chat_id) AS "pastUsers", f.chat_id AS "formerChatId", ` +
    `f.player_id AS "formerPlayerId", f.username AS "formerUsername" ` +
    `${matchingMembers(dialect, source, shape)} ` +
    `ORDER BY ${order} LIMIT $${source.values + (shape.hasSearch ? 3 : 1)}`
  );
}

/** Accounts after a place in the order of balances. Values: guild, balance, account, how many to visit. */
function visited(sortOrder: SortOrder, state: MemberState | undefined) {
  return {
    sortOrder,
    isBelowZero: state === 'overdrawn',
    after: { balance: '$2', accountNo: '$3' },
    limit: '$4',
  };
}

const ACCOUNT_COLUMNS = 'a.account_no, a.player_id, a.balance, a.transaction_count';

/** Members with accounts after a place in the order of balances. Values: those of `visited`, then as in `memberSql`. */
export function accountMembersSql(dialect: Dialect, sortOrder: SortOrder, shape: MemberShape): string {
  const sql = accountsByBalance(dialect, { columns: ACCOUNT_COLUMNS, ...visited(sortOrder, shape.state) });
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const order = `m.balance ${direction}, m.account_no ${direction}`;
  return memberSql(dialect, { sql, values: 4, order }, shape);
}

/** The last account that a search visited. Values: those of `visited`. */
export function lastAccountSql(
  dialect: Dialect,
  sortOrder: SortOrder,
  state: MemberState | undefined,
): string {
  const columns = 'a.balance AS "balanceUnits", a.account_no AS "accountNo"';
  return accountsByBalance(dialect, { columns, ...visited(sortOrder, state), isLastOnly: true });
}

/** Players after an id who have records, in order. Values: guild, id, limit for each kind. */
function recordPlayers({ indexedBy }: Dialect): string {
  const of = (table: 'discharge' | 'transfer') =>
    `SELECT player_id FROM (SELECT DISTINCT player_id FROM ${table} ${indexedBy(`${table}_by_player`)} ` +
    `WHERE guild_no = $1 AND player_id > $2 ORDER BY player_id LIMIT $3) AS ${table}s`;
  return `SELECT player_id FROM (${of('discharge')} UNION ${of('transfer')}) AS players ORDER BY player_id LIMIT $3`;
}

/** Players with records who have no account, as rows of a `MemberSource`. Values: those of `recordPlayers`. */
function withoutAccount(dialect: Dialect): string {
  return (
    'SELECT CAST(NULL AS integer) AS account_no, known.player_id, 0 AS balance, 0 AS transaction_count ' +
    `FROM (${recordPlayers(dialect)}) AS known WHERE NOT EXISTS (SELECT 1 FROM account AS a ` +
    `WHERE a.guild_no = $1 AND a.player_id = known.player_id)`
  );
}

/** Members with records who have no account. Values: guild, id, how many to visit, then as in `memberSql`. */
export function recordMembersSql(dialect: Dialect, shape: MemberShape): string {
  return memberSql(dialect, { sql: withoutAccount(dialect), values: 3, order: 'm.player_id' }, shape);
}

/** All members. Values: guild, an empty id, the largest number of members without account. */
function everybody(dialect: Dialect): MemberSource {
  const sql = `SELECT ${ACCOUNT_COLUMNS} FROM account AS a WHERE a.guild_no = $1 UNION ALL ${withoutAccount(dialect)}`;
  return { sql, values: 3 };
}

/** Members in another order than by balance. Values: those of `everybody`, then as in `memberSql`, then how many to skip. */
export function sortedMembersSql(
  dialect: Dialect,
  { sortBy, sortOrder }: { sortBy: Exclude<MemberSortKey, 'balance'>; sortOrder: SortOrder },
  shape: MemberShape,
): string {
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const key = {
    name: `coalesce(v.name_key, ${firstInRecords(dialect, 'name_key')}, m.player_id)`,
    transactions: 'm.transaction_count',
  }[sortBy];
  const source = { ...everybody(dialect), order: `${key} ${direction}, m.player_id ${direction}` };
  return `${memberSql(dialect, source, shape)} OFFSET $${source.values + (shape.hasSearch ? 4 : 2)}`;
}

/** The number of members. Values: those of `everybody`, then those of a search. */
export function countMembersSql(dialect: Dialect, shape: MemberShape): string {
  return `SELECT count(*) AS count ${matchingMembers(dialect, everybody(dialect), shape)}`;
}

/** The last player that a search visited. Values: guild, id, how many were visited. */
export function lastPlayerSql(dialect: Dialect): string {
  return `SELECT player_id AS "playerId" FROM (${recordPlayers(dialect)}) AS looked LIMIT 1 OFFSET $3 - 1`;
}

/** One player, with an account or without. Values: guild, player, and 1 as the limit. */
export function oneMemberSql(dialect: Dialect): string {
  const record = (table: 'discharge' | 'transfer') =>
    `SELECT player_id FROM ${table} WHERE guild_no = $1 AND player_id = $2`;
  const account = `FROM account AS a WHERE a.guild_no = $1 AND a.player_id = $2`;
  const sql =
    `SELECT (SELECT a.account_no ${account}) AS account_no, known.player_id, ` +
    `coalesce((SELECT a.balance ${account}), 0) AS balance, ` +
    `coalesce((SELECT a.transaction_count ${account}), 0) AS transaction_count ` +
    `FROM (SELECT a.player_id ${account} UNION ${record('discharge')} UNION ${record('transfer')}) AS known`;
  const shape = { hasSearch: false, state: undefined };
  return memberSql(dialect, { sql, values: 2, order: 'm.player_id' }, shape);
}

export function searchValues(search: string | undefined): string[] {
  return search === undefined ? [] : [nameKey(search), search];
}

/** Without a filter no row is skipped, so a page visits its own rows and one more. */
export function lookedAtMax({ search, state, limit }: MemberQuery): number {
  return search === undefined && state === undefined ? limit + 1 : MEMBERS_LOOKED_AT_MAX;
}

/** The place before all accounts. */
export function firstAccount(sortOrder: SortOrder): { balanceUnits: number; accountNo: number } {
  return sortOrder === 'asc'
    ? { balanceUnits: Number.MIN_SAFE_INTEGER, accountNo: 0 }
    : { balanceUnits: Number.MAX_SAFE_INTEGER, accountNo: Number.MAX_SAFE_INTEGER };
}

/** One stage of the list: its rows (one more than asked for when there are more), and where the search stopped. */
export interface Stage {
  rows: MemberRow[];
  stop: MemberPosition | undefined;
}

export function toStagePage({ rows, stop }: Stage, limit: number): MemberPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    members: shown.map(toMember),
    next: rows.length > limit && last !== undefined ? positionOf(last) : stop,
  };
}

function positionOf({ accountNo, balanceUnits, playerId }: MemberRow): MemberPosition {
  return accountNo === null ? { playerId } : { balanceUnits, accountNo };
}

export function toMember(row: MemberRow): Member {
  const { playerId, chatId, username, recordName, formerChatId, formerPlayerId, formerUsername } = row;
  const past = typeof row.pastUsers === 'string' ? JSON.parse(row.pastUsers) : row.pastUsers;
  return {
    playerId,
    name: username ?? recordName ?? undefined,
    chatId: chatId ?? undefined,
    username: username ?? undefined,
    pastUsers: past ?? [],
    formerOf:
      formerChatId === null || formerPlayerId === null || formerUsername === null
        ? undefined
        : { chatId: formerChatId, playerId: formerPlayerId, username: formerUsername },
    balanceUnits: row.balanceUnits,
    transactions: row.transactions,
  };
}

/** Joins a page of accounts that is not full with the members who have no account. */
export function joinStages(page: MemberPage, more: MemberPage): MemberPage {
  return { members: [...page.members, ...more.members], next: more.next };
}
