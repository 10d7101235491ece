import type { DetailedTransaction } from '../../domain/ledger/ledger-views.ts';
import { createPick, type DetailedRow, toDetailed } from '../ledger/detailed-row.ts';
import { guildSql } from '../ledger/guild-listing-sql.ts';
import type { LedgerViewParts } from '../ledger/ledger-views.ts';
import { accountSql } from '../ledger/listing-sql.ts';
import { detailedForm } from '../ledger/row-form.ts';
import { statement } from '../sql.ts';
import { createPlainListing, findSpan } from './listing.ts';
import type { Reads } from './read.ts';
import { readRows } from './read-rows.ts';
import { NO_HINTS } from './statement.ts';

const DETAILED = detailedForm('$1');

/** Lists and exports accounts for the money pages, on PostgreSQL. */
export function createAccountViews(
  reads: Pick<Reads, 'read' | 'readLong' | 'openReader'>,
): Omit<LedgerViewParts, 'engine'> {
  const { read, openReader } = reads;
  return {
    listAccount: createPlainListing<DetailedRow>(reads, DETAILED),
    findSpan: (account, times) => findSpan(read, account, times),
    exportAccount: ({ guildNo, accountNo, count, skipped = 0 }, query) =>
      readRows<DetailedRow, DetailedTransaction>({
        openReader,
        statement: statement(accountSql(NO_HINTS, query, DETAILED)),
        values: [guildNo, accountNo, count, skipped],
        isWanted: createPick(query),
        convert: toDetailed,
      }),
    exportGuild: (guildNo, filter, order) =>
      readRows<DetailedRow, DetailedTransaction>({
        openReader,
        statement: statement((dialect) => guildSql(dialect, order)),
        values: [
          guildNo,
          filter.sinceMs ?? Number.MIN_SAFE_INTEGER,
          filter.untilMs ?? Number.MAX_SAFE_INTEGER,
        ],
        isWanted: createPick(filter),
        convert: toDetailed,
      }),
  };
}
