import { startOfDayMs } from '../domain/calendar.ts';
import {
  type GuildListing,
  type LedgerPosition,
  LOOKED_AT_FOR_SOURCE_MAX,
  LOOKED_AT_MAX,
} from '../domain/ledger/ledger-views.ts';
import { type DetailedRow, toDetailed } from './detailed-row.ts';
import { type Filters, hasFilters, type RowForm } from './listing-sql.ts';

/** How a dialect writes what the two do not share. */
export interface GuildListingDialect {
  /** The text for the n-th bound value, counted from 1. */
  placeholder: (position: number) => string;
  /** Names the index by time, where the dialect can be told. */
  timeIndexHint: string;
  /** Joins the row `t` of an entry `e` of that index. */
  rowOfEntry: string;
  /** What is read of each row. */
  form: RowForm;
}

/** How many transactions a page may look at: any number of them when it takes each one. */
export function lookedAtMax(filters: Filters): number {
  if (!hasFilters(filters)) {
    return Number.POSITIVE_INFINITY;
  }
  return filters.source === undefined ? LOOKED_AT_MAX : LOOKED_AT_FOR_SOURCE_MAX;
}

/** Every transaction comes before the first of these places and after the second. */
export const NEWEST: LedgerPosition = { createdAtMs: Number.MAX_SAFE_INTEGER, accountNo: 0, seq: 0 };
export const OLDEST: LedgerPosition = { createdAtMs: Number.MIN_SAFE_INTEGER, accountNo: 0, seq: 0 };

/** A piece of the guild's list. */
export interface Stretch {
  /** It begins right after this place, going back in time. */
  from: LedgerPosition;
  /** It ends with this place, which belongs to it. */
  to: LedgerPosition;
}

/** What going to another day costs, in transactions looked at. */
export const DAY_COST = 20;

export function startOfDay(day: number): LedgerPosition {
  return { createdAtMs: startOfDayMs(day), accountNo: 0, seq: 0 };
}

/** A page from what was found, which is one row more when there is another page; `stop` is where the search ended early. */
export function toListing(
  rows: DetailedRow[],
  limit: number,
  stop: LedgerPosition | undefined,
): Omit<GuildListing, 'total'> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    transactions: rows.slice(0, limit).map(toDetailed),
    next: last === undefined ? stop : positionOf(last),
    searchedToMs: rows.length < limit ? stop?.createdAtMs : undefined,
  };
}

export function positionOf({ createdAtMs, accountNo, seq }: DetailedRow): LedgerPosition {
  return { createdAtMs, accountNo, seq };
}

const POSITION = '(e.created_at, e.account_no, e.seq)';
const NEWEST_FIRST = 'ORDER BY e.created_at DESC, e.account_no DESC, e.seq DESC';

/**
 * The newest matching rows of a stretch. Values: guild, those of `stretchValues`, the given filters, limit. Entries `e` of
 * the index are judged by amount before their rows `t` are fetched; written as one table, every row would be fetched.
 */
export function stretchSql(dialect: GuildListingDialect, filters: Filters): string {
  const { sql, next } = stretchClause(dialect, filters);
  return (
    `SELECT ${dialect.form.columns} FROM ledger_transaction AS e ${dialect.timeIndexHint} ` +
    `${dialect.rowOfEntry} ${dialect.form.joins} WHERE ${sql} ${dialect.form.condition} ` +
    `${NEWEST_FIRST} LIMIT ${dialect.placeholder(next)}`
  );
}

/** The place after so many entries of a stretch, from the index alone. Values: guild, stretch, how many to skip. */
export function placeSql(dialect: GuildListingDialect): string {
  const { sql, next } = stretchClause(dialect, {});
  return (
    'SELECT e.created_at AS "createdAtMs", e.account_no AS "accountNo", e.seq ' +
    `FROM ledger_transaction AS e ${dialect.timeIndexHint} WHERE ${sql} ${NEWEST_FIRST} ` +
    `LIMIT 1 OFFSET ${dialect.placeholder(next)}`
  );
}

/** Everything of a guild, for a reader that picks what it wants. Values: guild. */
export function guildSql(dialect: GuildListingDialect): string {
  return (
    `SELECT ${dialect.form.columns} FROM ledger_transaction AS t ${dialect.timeIndexHint} ${dialect.form.joins} ` +
    `WHERE t.guild_no = ${dialect.placeholder(1)} ${dialect.form.condition} ` +
    'ORDER BY t.created_at DESC, t.account_no DESC, t.seq DESC'
  );
}

export function stretchValues({ from, to }: Stretch): number[] {
  return [from.createdAtMs, from.accountNo, from.seq, to.createdAtMs, to.accountNo, to.seq];
}

/** The clause, and the position of the next value after its own. */
function stretchClause(
  { placeholder: at }: GuildListingDialect,
  { minUnits, maxUnits, source }: Partial<Filters>,
): { sql: string; next: number } {
  const conditions = [
    `e.guild_no = ${at(1)}`,
    `${POSITION} < (${at(2)}, ${at(3)}, ${at(4)})`,
    `${POSITION} >= (${at(5)}, ${at(6)}, ${at(7)})`,
  ];
  let next = 8;
  const add = (condition: string) => {
    conditions.push(`${condition} ${at(next)}`);
    next += 1;
  };
  if (minUnits !== undefined) add('e.amount >=');
  if (maxUnits !== undefined) add('e.amount <=');
  if (source !== undefined) add('t.source =');
  return { sql: conditions.join(' AND '), next };
}
