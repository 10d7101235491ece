import type { AccountSummary, BalancePage, HistoryFilter } from '../../domain/ledger/entries.ts';
import type { SortOrder } from '../../domain/model.ts';
import type { Dialect } from '../dialect.ts';
import { accountsByBalance } from './accounts-by-balance.ts';
import { selectNotes } from './extra-columns.ts';
import { LISTED } from './row-form.ts';
import { filterConditions, filterNames, filterValues } from './transaction-filters.ts';

/**
 * Joins a table under a name, row by row in the written order. PostgreSQL could otherwise reorder the join, for
 * example with the statistics of an empty table. In `condition` the joined row is named `one`.
 */
export function join(
  { engine }: Dialect,
  kind: 'CROSS' | 'LEFT',
  table: string,
  name: string,
  condition: string,
): string {
  return engine === 'sqlite'
    ? `${kind} JOIN ${table} AS ${name} ON ${condition.replaceAll('one.', `${name}.`)}`
    : `${kind} JOIN LATERAL (SELECT * FROM ${table} AS one WHERE ${condition} OFFSET 0) AS ${name}${kind === 'LEFT' ? ' ON true' : ''}`;
}

const COLUMNS =
  `${LISTED.columns}, t.number, t.balance_after AS "balanceUnits", a.player_id AS "playerId", ` +
  'k.key_id AS "keyId", k.name AS "keyName", t.posted_by AS "postedByChatId", u.name AS "postedByName", ' +
  'x.payment_id AS "paymentId", coalesce(o.transaction_id, x.reverses_id) AS reverses, r.transaction_id AS "reversedBy", ' +
  selectNotes((column) => `x.${column}`);

/** Transactions `t` with the columns of the interface. Facts that only some have come from joins. */
export function entriesSql(dialect: Dialect, rows: string, order: 'ASC' | 'DESC'): string {
  const ofGuild = 'one.guild_no = $1';
  return [
    `SELECT ${COLUMNS} FROM (${rows}) AS t`,
    join(dialect, 'CROSS', 'account', 'a', `${ofGuild} AND one.account_no = t.account_no`),
    join(dialect, 'LEFT', 'api_key', 'k', 'one.key_no = t.key_no'),
    join(dialect, 'LEFT', 'chat_user', 'u', 'one.chat_id = t.posted_by'),
    join(dialect, 'LEFT', 'ledger_extra', 'x', `${ofGuild} AND one.number = t.number`),
    join(dialect, 'LEFT', 'ledger_transaction', 'o', `${ofGuild} AND one.number = x.reverses`),
    join(dialect, 'LEFT', 'ledger_extra', 'y', `${ofGuild} AND one.reverses = t.number`),
    join(dialect, 'LEFT', 'ledger_transaction', 'r', `${ofGuild} AND one.number = y.number`),
    `ORDER BY t.number ${order}`,
  ].join(' ');
}

/** Filters that are tested on each row. `accountNo` is set only for statements that read rows of several accounts. */
export interface RowFilter extends Omit<HistoryFilter, 'playerId' | 'reference'> {
  accountNo?: number | undefined;
}

/** The key of a prepared statement: the names of the filters that are set. */
export function rowFilterShape(filter: RowFilter): string {
  return givenConditions(filter)
    .map(({ name }) => name)
    .join(' ');
}

export function hasRowFilters(filter: RowFilter): boolean {
  return givenConditions(filter).length > 0;
}

/** A condition of a filter that is set, with its values. */
interface GivenCondition {
  name: string;
  sql: (at: () => string) => string;
  values: readonly (number | string)[];
}

function givenConditions(filter: RowFilter): GivenCondition[] {
  const names = filterNames(filter).split(' ');
  const values = filterValues(filter);
  const shared = filterConditions(filter, ({ column }) => `t.${column}`).map((condition, index) => ({
    name: names[index] ?? '',
    sql: (at: () => string) => condition(at()),
    values: values.slice(index, index + 1),
  }));
  const compared = (name: string, comparison: string, value: number | undefined): GivenCondition[] =>
    value === undefined ? [] : [{ name, sql: (at) => `${comparison} ${at()}`, values: [value] }];
  return [
    ...shared,
    ...compared('sinceMs', 't.created_at >=', filter.sinceMs),
    ...compared('untilMs', 't.created_at <', filter.untilMs),
    ...compared('accountNo', 't.account_no =', filter.accountNo),
    ...(filter.namePrefix === undefined ? [] : [prefixCondition(filter.namePrefix)]),
  ];
}

/** Both engines lower only the letters A to Z, and count characters. */
function prefixCondition(prefix: string): GivenCondition {
  return {
    name: 'namePrefix',
    sql: (at) => `lower(substr(t.name, 1, CAST(${at()} AS INTEGER))) = ${at()}`,
    values: prefixValues(prefix),
  };
}

function prefixValues(prefix: string): [number, string] {
  const lower = prefix.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return [[...lower].length, lower];
}

export function rowFilterValues(filter: RowFilter): (number | string)[] {
  return givenConditions(filter).flatMap(({ values }) => values);
}

/** Returns the placeholders `$1`, `$2` and so on. */
function counter(): () => string {
  let position = 0;
  return () => {
    position += 1;
    return `$${position}`;
  };
}

function filterSql(filter: RowFilter, at: () => string): string {
  return givenConditions(filter)
    .map(({ sql }) => ` AND ${sql(at)}`)
    .join('');
}

/** Transactions by number, highest first. Values: guild, first number, number after the last, filters, limit. */
export function numberHistorySql(dialect: Dialect, filter: RowFilter): string {
  const at = counter();
  const rows =
    `SELECT * FROM ledger_transaction AS t ${dialect.indexedBy('ledger_by_number')} ` +
    `WHERE t.guild_no = ${at()} AND t.number >= ${at()} AND t.number < ${at()}${filterSql(filter, at)} ` +
    `ORDER BY t.number DESC LIMIT ${at()}`;
  return entriesSql(dialect, rows, 'DESC');
}

/**
 * Transactions of an account, where numbers rise with seq. Values: guild, account, first seq, seq after the last,
 * filters, limit.
 */
export function accountHistorySql(dialect: Dialect, filter: RowFilter): string {
  const at = counter();
  const rows =
    `SELECT * FROM ledger_transaction AS t WHERE t.guild_no = ${at()} AND t.account_no = ${at()} ` +
    `AND t.seq >= ${at()} AND t.seq < ${at()}${filterSql(filter, at)} ORDER BY t.seq DESC LIMIT ${at()}`;
  return entriesSql(dialect, rows, 'DESC');
}

/** The numbers with a reference. Values: guild, reference, number after the last. */
function referencedSql(at: () => string): string {
  return (
    `SELECT e.guild_no, e.number FROM ledger_extra AS e WHERE e.guild_no = ${at()} AND e.reference = ${at()} ` +
    `AND e.number < ${at()} ORDER BY e.number DESC`
  );
}

/**
 * Transactions with a reference. Values: guild, reference, number after the last, how many to visit, filters, limit.
 */
export function referenceHistorySql(dialect: Dialect, filter: RowFilter): string {
  const at = counter();
  const condition = 'one.guild_no = $1 AND one.number = page.number';
  const rows =
    `SELECT t.* FROM (${referencedSql(at)} LIMIT ${at()}) AS page ` +
    `${join(dialect, 'CROSS', 'ledger_transaction', 't', condition)} WHERE true${filterSql(filter, at)} ` +
    `ORDER BY page.number DESC LIMIT ${at()}`;
  return entriesSql(dialect, rows, 'DESC');
}

/**
 * The number at which a search among the transactions of one reference stops. Values: guild, reference, number after
 * the last, how many to skip.
 */
export function referenceStopSql(): string {
  const at = counter();
  return `${referencedSql(at)} LIMIT 1 OFFSET ${at()}`;
}

/** Transactions after a number. Values: guild, number, limit. */
export function feedSql(dialect: Dialect): string {
  const at = counter();
  const rows =
    `SELECT * FROM ledger_transaction AS t ${dialect.indexedBy('ledger_by_number')} ` +
    `WHERE t.guild_no = ${at()} AND t.number > ${at()} ORDER BY t.number LIMIT ${at()}`;
  return entriesSql(dialect, rows, 'ASC');
}

/** One transaction. Values: guild, id. */
export function entrySql(dialect: Dialect): string {
  const at = counter();
  const rows =
    `SELECT * FROM ledger_transaction AS t ${dialect.indexedBy('ledger_by_id')} ` +
    `WHERE t.guild_no = ${at()} AND ${dialect.isId('t.transaction_id', at())} ORDER BY t.number LIMIT 1`;
  return entriesSql(dialect, rows, 'ASC');
}

/** Transactions within a range of ids. Values: guild, first id, last id, limit. */
export function entryRangeSql(dialect: Dialect): string {
  const at = counter();
  const id = dialect.idBytes('t.transaction_id');
  const rows =
    `SELECT * FROM ledger_transaction AS t ${dialect.indexedBy('ledger_by_id')} ` +
    `WHERE t.guild_no = ${at()} AND ${id} >= ${dialect.asIdBytes(at())} AND ${id} <= ${dialect.asIdBytes(at())} ORDER BY ${id} LIMIT ${at()}`;
  return entriesSql(dialect, rows, 'ASC');
}

/** The lowest and the highest id that begin with these hexadecimal digits. */
export function idRange(digits: string): [first: string, last: string] {
  return [digits.padEnd(32, '0'), digits.padEnd(32, 'f')];
}

/** Both sides of a payment. Values: guild, the payment's id. */
export function paymentSql(dialect: Dialect): string {
  const at = counter();
  const condition = 'one.guild_no = $1 AND one.number = side.number';
  const rows =
    'SELECT t.* FROM (SELECT e.guild_no, e.number FROM ledger_extra AS e ' +
    `WHERE e.guild_no = ${at()} AND ${dialect.isId('e.payment_id', at())} AND e.payment_id IS NOT NULL) AS side ` +
    join(dialect, 'CROSS', 'ledger_transaction', 't', condition);
  return entriesSql(dialect, rows, 'ASC');
}

/** An account as it is selected below. The list by balance is sorted by `balanceUnits`, then `accountNo`. */
export interface SummaryRow {
  playerId: string;
  accountNo: number;
  balanceUnits: number;
  count: number;
  lastAtMs: number;
}

const SUMMARY_COLUMNS =
  'a.player_id AS "playerId", a.account_no AS "accountNo", a.balance AS "balanceUnits", ' +
  'a.transaction_count AS count, a.last_created_at AS "lastAtMs"';
export const SUMMARY = `SELECT ${SUMMARY_COLUMNS} FROM account AS a`;

/** One account. Values: guild, player. */
export const ACCOUNT_SUMMARY = `${SUMMARY} WHERE a.guild_no = $1 AND a.player_id = $2`;

/** All accounts by balance. Values: guild, the place to start after when there is one, limit. */
export function balancesSql(dialect: Dialect, sortOrder: SortOrder, hasPlace: boolean): string {
  return accountsByBalance(dialect, {
    columns: SUMMARY_COLUMNS,
    sortOrder,
    after: hasPlace ? { balance: '$2', accountNo: '$3' } : undefined,
    limit: hasPlace ? '$4' : '$2',
  });
}

/**
 * The first seq of the account `a` that is not before a time, or the seq after its last. Creation times never
 * decrease along seq, so a binary search over the primary key finds it.
 */
export function firstNotBeforeSql({ engine }: Dialect, time: string): string {
  const middle = '(search.low + search.high) / 2';
  // Archived transactions come before all others.
  const begin = 'SELECT a.archived_count + 1, a.transaction_count + 1';
  if (engine === 'sqlite') {
    const isBefore = `(SELECT m.created_at FROM ledger_transaction AS m
      WHERE m.guild_no = $1 AND m.account_no = a.account_no AND m.seq = ${middle}) < ${time}`;
    return `(WITH RECURSIVE search (low, high) AS (${begin} UNION ALL
      SELECT CASE WHEN ${isBefore} THEN ${middle} + 1 ELSE search.low END,
        CASE WHEN ${isBefore} THEN search.high ELSE ${middle} END
      FROM search WHERE search.low < search.high) SELECT search.low FROM search WHERE search.low >= search.high)`;
  }
  // With this ORDER BY the primary key is the only index that PostgreSQL can use. The lateral join reads each row once.
  return `(WITH RECURSIVE search (low, high) AS (${begin} UNION ALL
    SELECT CASE WHEN middle.created_at < ${time} THEN middle.seq + 1 ELSE search.low END,
      CASE WHEN middle.created_at < ${time} THEN search.high ELSE middle.seq END
    FROM search CROSS JOIN LATERAL (SELECT m.seq, m.created_at FROM ledger_transaction AS m
      WHERE m.guild_no = $1 AND m.account_no = a.account_no AND m.seq >= ${middle} ORDER BY m.seq LIMIT 1) AS middle
    WHERE search.low < search.high) SELECT search.low FROM search WHERE search.low >= search.high)`;
}

export function toSummary(playerId: string, row: SummaryRow | undefined): AccountSummary {
  return row === undefined || row.count === 0
    ? { playerId, balanceUnits: 0, transactionCount: 0, lastTransactionAtMs: undefined }
    : {
        playerId,
        balanceUnits: row.balanceUnits,
        transactionCount: row.count,
        lastTransactionAtMs: row.lastAtMs,
      };
}

/** Makes a page of the rows found, which are one more than `limit` when there is another page. */
export function toBalancePage(rows: readonly SummaryRow[], limit: number): BalancePage {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    accounts: rows.slice(0, limit).map((row) => toSummary(row.playerId, row)),
    next: last && { balanceUnits: last.balanceUnits, accountNo: last.accountNo },
  };
}
