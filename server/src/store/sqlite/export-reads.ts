import type { DatabaseSync } from 'node:sqlite';
import type { ExportQuery, LedgerPosition } from '../../domain/ledger/ledger-views.ts';
import type { SortOrder } from '../../domain/model.ts';
import { SQLITE } from '../dialect.ts';
import { createPick, type DetailedRow } from '../ledger/detailed-row.ts';
import { positionOf, type Stretch, stretchSql, stretchValues } from '../ledger/guild-listing-sql.ts';
import type { AccountKey } from '../ledger/listed-account.ts';
import { accountRangeSql, rangeStart, sortValue } from '../ledger/listing-sql.ts';
import { detailedForm } from '../ledger/row-form.ts';
import type { SearchedFilter } from '../ledger/searched.ts';
import { DIALECT, forEachPart } from './account-parts.ts';
import { prepare, prepareOnDemand } from './connection.ts';

/**
 * Rows read in one range. Handing them over blocks the calling thread for about a millisecond. The snapshot ends with
 * the range, so that the WAL can be reset between ranges.
 */
const ROWS_PER_RANGE = 200;

const DETAILED = detailedForm('t.guild_no');

/** A filter in the statement could skip any number of rows in one range, so rows are filtered afterwards. */
const NO_FILTERS = { source: undefined, minUnits: undefined, maxUnits: undefined };

/** One range of an export: the matching rows, and where the next range begins (undefined at the end). */
export interface ExportRange<Place> {
  rows: DetailedRow[];
  next: Place | undefined;
}

/** The last row of a range by account: its value in the order's column, and its seq. */
export interface AccountPlace {
  value: number;
  seq: number;
}

/** How many transactions each account of a guild had at one time, by ascending account number. */
export interface AccountBounds {
  accountNos: Float64Array;
  counts: Float64Array;
}

/**
 * The reads of the export thread. The ledger is append-only: with the accounts' lengths at one time as upper bounds,
 * ranges read at different times make up the ledger of that time.
 */
export function createExportReads(db: DatabaseSync) {
  const accountRanges = prepareOnDemand<DetailedRow>(db);
  const guildRanges = prepareOnDemand<DetailedRow>(db);
  const findBounds = prepare<{ accountNo: number; count: number }>(
    db,
    'SELECT account_no AS accountNo, transaction_count AS count FROM account WHERE guild_no = ?',
  );
  return {
    exportAccount(input: {
      account: AccountKey;
      query: ExportQuery;
      after: AccountPlace | undefined;
    }): ExportRange<AccountPlace> {
      const { account, query, after = rangeStart(query.sortOrder) } = input;
      const { guildNo, accountNo, count, skipped = 0 } = account;
      const statement = accountRanges(`${query.sortBy} ${query.sortOrder}`, () =>
        accountRangeSql(DIALECT, query, DETAILED),
      );
      const bounds = forEachPart(query.sortBy, [guildNo, accountNo, count, skipped, after.value, after.seq]);
      const rows = statement.all(...bounds, ROWS_PER_RANGE, guildNo, accountNo);
      const last = rows.length < ROWS_PER_RANGE ? undefined : rows.at(-1);
      return {
        rows: rows.filter(createPick(query)),
        next: last && { value: sortValue(last, query.sortBy), seq: last.seq },
      };
    },

    exportGuild(input: {
      guildNo: number;
      filter: SearchedFilter;
      stretch: Stretch;
      order: SortOrder;
    }): ExportRange<LedgerPosition> {
      const { order } = input;
      const statement = guildRanges(order, () => stretchSql(SQLITE, NO_FILTERS, order));
      const rows = statement.all(input.guildNo, ...stretchValues(input.stretch), ROWS_PER_RANGE);
      const last = rows.length < ROWS_PER_RANGE ? undefined : rows.at(-1);
      return { rows: rows.filter(createPick(input.filter)), next: last && positionOf(last) };
    },

    exportBounds({ guildNo }: { guildNo: number }): AccountBounds {
      // Sorted here, because no index has this order.
      const accounts = findBounds.all(guildNo).sort((one, other) => one.accountNo - other.accountNo);
      return {
        accountNos: Float64Array.from(accounts, ({ accountNo }) => accountNo),
        counts: Float64Array.from(accounts, ({ count }) => count),
      };
    },
  };
}

export type ExportReads = ReturnType<typeof createExportReads>;

/** How many transactions the account had, or 0 when it did not exist yet. */
export function boundOf({ accountNos, counts }: AccountBounds, accountNo: number): number {
  let [low, high] = [0, accountNos.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((accountNos[middle] ?? 0) < accountNo) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return accountNos[low] === accountNo ? (counts[low] ?? 0) : 0;
}
