import type { Member, MemberPage, MemberPosition, MemberQuery } from '../../domain/people/member-store.ts';
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

/**
 * Members with the people behind them. Values: guild, those of `source`, those of a search, the limit. `source`
 * bounds how many rows are visited; only matching rows get all columns.
 */
function memberSql(
  dialect: Dialect,
  source: { sql: string; values: number; order: string },
  hasSearch: boolean,
): string {
  const recordOf = (table: 'discharge' | 'transfer', condition: string) =>
    `FROM ${table} AS r ${dialect.indexedBy(`${table}_by_player`)} ` +
    `WHERE r.guild_no = $1 AND r.player_id = m.player_id${condition}`;
  const recordName = (table: 'discharge' | 'transfer') => `(SELECT min(r.name) ${recordOf(table, '')})`;
  const name = `$${source.values + 1}`;
  const id = `$${source.values + 2}`;
  const inRecord = (table: 'discharge' | 'transfer') =>
    `EXISTS (SELECT 1 ${recordOf(table, ` AND ${dialect.contains('r.name_key', name)}`)})`;
  const search = hasSearch
    ? `WHERE ${dialect.contains('m.player_id', id)} OR ${dialect.contains('v.name_key', name)} ` +
      `OR ${dialect.contains('v.chat_id', id)} OR ${dialect.contains('f.name_key', name)} ` +
      `OR EXISTS (SELECT 1 FROM past_user AS p WHERE p.chat_id = coalesce(v.chat_id, f.chat_id) ` +
      `AND (${dialect.contains('p.name_key', name)} OR ${dialect.contains('p.player_id', id)})) ` +
      `OR ${inRecord('discharge')} OR ${inRecord('transfer')}`
    : '';
  return (
    'SELECT m.account_no AS "accountNo", m.player_id AS "playerId", m.balance AS "balanceUnits", ' +
    `m.transaction_count AS transactions, coalesce(${recordName('discharge')}, ${recordName('transfer')}) ` +
    'AS "recordName", v.chat_id AS "chatId", v.username, ' +
    `(SELECT ${dialect.jsonList({ playerId: 'p.player_id', username: 'p.username' }, 'p.position')} ` +
    `FROM past_user AS p WHERE p.chat_id = v.chat_id) AS "pastUsers", f.chat_id AS "formerChatId", ` +
    `f.player_id AS "formerPlayerId", f.username AS "formerUsername" ` +
    `FROM (${source.sql}) AS m ${PERSON} ${FORMER} ${search} ` +
    `ORDER BY ${source.order} LIMIT $${source.values + (hasSearch ? 3 : 1)}`
  );
}

/** Accounts below a place in the order of balances. Values: guild, balance, account, how many to visit. */
const VISITED = {
  sortOrder: 'desc',
  after: { balance: '$2', accountNo: '$3' },
  limit: '$4',
} as const;

/** Members with accounts below a place in the order of balances. Values: those of `VISITED`, then as in `memberSql`. */
export function accountMembersSql(dialect: Dialect, hasSearch: boolean): string {
  const columns = 'a.account_no, a.player_id, a.balance, a.transaction_count';
  const sql = accountsByBalance(dialect, { columns, ...VISITED });
  return memberSql(dialect, { sql, values: 4, order: 'm.balance DESC, m.account_no DESC' }, hasSearch);
}

/** The last account that a search visited. Values: those of `VISITED`. */
export function lastAccountSql(dialect: Dialect): string {
  const columns = 'a.balance AS "balanceUnits", a.account_no AS "accountNo"';
  return accountsByBalance(dialect, { columns, ...VISITED, isLastOnly: true });
}

/** Players after an id who have records, in order. Values: guild, id, limit for each kind. */
function recordPlayers({ indexedBy }: Dialect): string {
  const of = (table: 'discharge' | 'transfer') =>
    `SELECT player_id FROM (SELECT DISTINCT player_id FROM ${table} ${indexedBy(`${table}_by_player`)} ` +
    `WHERE guild_no = $1 AND player_id > $2 ORDER BY player_id LIMIT $3) AS ${table}s`;
  return `SELECT player_id FROM (${of('discharge')} UNION ${of('transfer')}) AS players ORDER BY player_id LIMIT $3`;
}

/** Players with records who have no account. Values: guild, id, how many to visit. */
export function recordMembersSql(dialect: Dialect, hasSearch: boolean): string {
  const sql =
    'SELECT CAST(NULL AS integer) AS account_no, known.player_id, 0 AS balance, 0 AS transaction_count ' +
    `FROM (${recordPlayers(dialect)}) AS known WHERE NOT EXISTS (SELECT 1 FROM account AS a ` +
    `WHERE a.guild_no = $1 AND a.player_id = known.player_id)`;
  return memberSql(dialect, { sql, values: 3, order: 'm.player_id' }, hasSearch);
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
  return memberSql(dialect, { sql, values: 2, order: 'm.player_id' }, false);
}

export function searchValues(search: string | undefined): string[] {
  return search === undefined ? [] : [nameKey(search), search];
}

/** Without a search no row is skipped, so a page visits its own rows and one more. */
export function lookedAtMax({ search, limit }: MemberQuery): number {
  return search === undefined ? limit + 1 : MEMBERS_LOOKED_AT_MAX;
}

export const FIRST_ACCOUNT = { balanceUnits: Number.MAX_SAFE_INTEGER, accountNo: Number.MAX_SAFE_INTEGER };

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
