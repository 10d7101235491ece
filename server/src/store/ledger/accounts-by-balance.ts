import type { SortOrder } from '../../domain/model.ts';
import type { Dialect } from '../dialect.ts';

/** A page of a guild's accounts in the order of their balances. The guild is the value `$1`. */
export interface BalancePageSql {
  /** Made of the columns `account_no`, `player_id`, `balance`, `transaction_count` and `last_created_at` of the account `a`. */
  columns: string;
  sortOrder: SortOrder;
  /** The place after which the page begins, as SQL. */
  after?: { balance: string; accountNo: string } | undefined;
  /** True for accounts below zero only. */
  isBelowZero?: boolean;
  limit: string;
  /** True for the last account of a full page only, and none of a shorter one. */
  isLastOnly?: boolean;
}

/** Selects a page of accounts. Accounts of the same balance are in the order of their numbers. */
export function accountsByBalance(dialect: Dialect, page: BalancePageSql): string {
  const rows = `SELECT ${page.columns} FROM`;
  if (dialect.engine === 'sqlite') {
    return `${rows} account AS a INDEXED BY account_by_balance WHERE a.guild_no = $1${bounds(page)} ${ordered(page)} ${cut(page)}`;
  }
  // The index has the accounts that are settled, in order. The others are few: they are read and sorted. Their inner
  // ORDER BY leaves no other index than this one, even if the statistics say that no account is settled.
  const settled =
    `SELECT ${OTHER_COLUMNS}, a.ordered_balance AS balance FROM account AS a WHERE a.guild_no = $1 ` +
    `AND a.ordered_balance IS NOT NULL${bounds(page, 'ordered_balance')} ` +
    `${ordered(page, 'ordered_balance')} LIMIT ${page.limit}`;
  const moving =
    `SELECT ${OTHER_COLUMNS}, a.balance FROM (SELECT * FROM account AS m WHERE m.guild_no = $1 ` +
    `AND m.ordered_balance IS NULL ORDER BY m.ordered_balance, m.account_no OFFSET 0) AS a ` +
    `WHERE true${bounds(page)} ${ordered(page)} LIMIT ${page.limit}`;
  return `${rows} ((${settled}) UNION ALL (${moving})) AS a ${ordered(page)} ${cut(page)}`;
}

const OTHER_COLUMNS = 'a.account_no, a.player_id, a.transaction_count, a.last_created_at';

function bounds({ sortOrder, after, isBelowZero = false }: BalancePageSql, column = 'balance'): string {
  const isBehind = sortOrder === 'asc' ? '>' : '<';
  const place =
    after === undefined
      ? ''
      : ` AND (a.${column}, a.account_no) ${isBehind} (${after.balance}, ${after.accountNo})`;
  return isBelowZero ? `${place} AND a.${column} < 0` : place;
}

function ordered({ sortOrder }: BalancePageSql, column = 'balance'): string {
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  return `ORDER BY a.${column} ${direction}, a.account_no ${direction}`;
}

function cut({ limit, isLastOnly = false }: BalancePageSql): string {
  return isLastOnly ? `LIMIT 1 OFFSET ${limit} - 1` : `LIMIT ${limit}`;
}
