import type { LedgerPosition } from '../domain/ledger-views.ts';
import { DETAILED, type Filters } from './listing-sql.ts';

/** How a dialect writes what the two do not share. */
export interface GuildListingDialect {
  /** The text for the n-th bound value, counted from 1. */
  placeholder: (position: number) => string;
  /** Names the index by time, where the dialect can be told. */
  timeIndexHint: string;
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

const POSITION = '(created_at, account_no, seq)';
const NEWEST_FIRST = 'ORDER BY created_at DESC, account_no DESC, seq DESC';

/**
 * The newest matching rows of a stretch. Values: guild, those of `stretchValues`, the given filters, limit, guild. As in
 * an account's listing, the keys come first and only then their rows.
 */
export function stretchSql(dialect: GuildListingDialect, filters: Filters): string {
  const { sql, next } = stretchClause(dialect, filters);
  const at = (offset: number) => dialect.placeholder(next + offset);
  return (
    `SELECT ${DETAILED.columns} FROM (SELECT created_at AS page_at, account_no AS page_account, seq AS page_seq ` +
    `FROM ledger_transaction ${dialect.timeIndexHint} WHERE ${sql} ${NEWEST_FIRST} LIMIT ${at(0)}) AS page ` +
    `CROSS JOIN ledger_transaction AS t ${DETAILED.joins} ` +
    `WHERE t.guild_no = ${at(1)} AND t.account_no = page_account AND t.seq = page_seq ${DETAILED.condition} ` +
    'ORDER BY page_at DESC, page_account DESC, page_seq DESC'
  );
}

/** The place after so many entries of a stretch, from the index alone. Values: guild, stretch, how many to skip. */
export function placeSql(dialect: GuildListingDialect): string {
  const { sql, next } = stretchClause(dialect, {});
  return (
    'SELECT created_at AS "createdAtMs", account_no AS "accountNo", seq ' +
    `FROM ledger_transaction ${dialect.timeIndexHint} WHERE ${sql} ${NEWEST_FIRST} ` +
    `LIMIT 1 OFFSET ${dialect.placeholder(next)}`
  );
}

/** Everything of a guild, for a reader that picks what it wants. Values: guild. */
export function guildSql(dialect: GuildListingDialect): string {
  return (
    `SELECT ${DETAILED.columns} FROM ledger_transaction AS t ${dialect.timeIndexHint} ${DETAILED.joins} ` +
    `WHERE t.guild_no = ${dialect.placeholder(1)} ${DETAILED.condition} ` +
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
    `guild_no = ${at(1)}`,
    `${POSITION} < (${at(2)}, ${at(3)}, ${at(4)})`,
    `${POSITION} >= (${at(5)}, ${at(6)}, ${at(7)})`,
  ];
  let next = 8;
  const add = (condition: string) => {
    conditions.push(`${condition} ${at(next)}`);
    next += 1;
  };
  if (minUnits !== undefined) add('amount >=');
  if (maxUnits !== undefined) add('amount <=');
  if (source !== undefined) add('source =');
  return { sql: conditions.join(' AND '), next };
}
