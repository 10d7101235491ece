import type { DatabaseSync } from 'node:sqlite';
import type { DetailedRow } from '../ledger/detailed-row.ts';
import type { LedgerViewParts } from '../ledger/ledger-views.ts';
import { detailedForm } from '../ledger/row-form.ts';
import { readAccountRanges, readGuildRanges } from './export-ranges.ts';
import type { ExportReads } from './export-reads.ts';
import { createListing, createSpan, createVisitingListing, prepareAccount } from './listing.ts';
import type { CallOf, LongReadOf, Read } from './thread-calls.ts';

const DETAILED = detailedForm('t.guild_no');

interface AccountViewParts {
  db: DatabaseSync;
  read: Read;
  readLong: LongReadOf<AccountViewReads>;
  readExport: CallOf<ExportReads>;
}

export type AccountViewReads = ReturnType<typeof createAccountViewReads>;

/** Lists and exports accounts for the money pages, on SQLite. */
export function createAccountViews(parts: AccountViewParts): Omit<LedgerViewParts, 'engine'> {
  const { db, read, readLong, readExport } = parts;
  const list = createListing<DetailedRow>(db, {
    form: DETAILED,
    findAccount: prepareAccount(db),
    listElsewhere: (input, rows) => readLong('listDetailedTransactions', input, rows),
  });
  const spanOf = createSpan(db);
  return {
    listAccount: (guildNo, playerId, query) => read(() => list(guildNo, playerId, query)),
    findSpan: (account, times) => read(() => spanOf(account, times)),
    exportAccount: (account, query) => readAccountRanges(readExport, account, query),
    exportGuild: (guildNo, filter, order) => readGuildRanges(readExport, guildNo, { filter, order }),
  };
}

/** The reads for the money pages that run on reader threads. */
export function createAccountViewReads(db: DatabaseSync) {
  return { listDetailedTransactions: createVisitingListing<DetailedRow>(db, DETAILED) };
}
