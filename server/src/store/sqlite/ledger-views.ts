import type { DatabaseSync } from 'node:sqlite';
import type {
  BalancePoint,
  DetailedTransaction,
  ExportQuery,
  LedgerViewStore,
} from '../../domain/ledger/ledger-views.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { type DetailedRow, toDetailed } from '../detailed-row.ts';
import { lookedAtMax } from '../guild-listing-sql.ts';
import { DETAILED, hasFilters } from '../listing-sql.ts';
import { createBalanceHistory } from './balance-history.ts';
import { readAccountRanges, readGuildRanges } from './export-ranges.ts';
import type { ExportReads } from './export-reads.ts';
import { createGuildListing } from './guild-listing.ts';
import { createListing, createVisitingListing, prepareAccount } from './listing.ts';
import { prepareHasMany, ROWS_HERE_MAX } from './long-read.ts';
import { createMoneyViews } from './money-views.ts';
import { createPlayerViews } from './player-views.ts';
import type { CallOf, LongReadOf, Read } from './write.ts';

interface LedgerViewParts {
  db: DatabaseSync;
  read: Read;
  readLong: LongReadOf<LedgerViewReads>;
  readExport: CallOf<ExportReads>;
}

export type LedgerViewReads = ReturnType<typeof createLedgerViewReads>;

export function createLedgerViewStore(parts: LedgerViewParts): LedgerViewStore {
  const { db, read, readLong, readExport } = parts;
  const money = createMoneyViews(db);
  const players = createPlayerViews(db);
  const list = createListing<DetailedRow>(db, {
    form: DETAILED,
    listElsewhere: (input, rows) => readLong('listDetailedTransactions', input, rows),
  });
  const listGuild = createGuildListing(db);
  const hasMany = prepareHasMany(db, { table: 'ledger_transaction', index: 'ledger_by_time' });
  const readHistory = createBalanceHistory(db);
  const findAccount = prepareAccount(db);

  async function* readAccount(
    guildNo: number,
    playerId: string,
    query: ExportQuery,
  ): AsyncGenerator<DetailedTransaction> {
    const account = await read(() => findAccount.get(guildNo, playerId));
    if (account !== undefined) {
      yield* readAccountRanges(readExport, { guildNo, ...account }, query);
    }
  }

  function history(guildNo: number, playerId: string, pointsMax: number): MaybePromise<BalancePoint[]> {
    const account = findAccount.get(guildNo, playerId);
    if (account === undefined) {
      return [];
    }
    const input = { guildNo, ...account, pointsMax };
    return account.count > ROWS_HERE_MAX
      ? readLong('balanceHistory', input, account.count)
      : readHistory(input);
  }

  return {
    totals: ({ guildNo }) => read(() => money.totals(guildNo)),
    days: ({ guildNo }, range) => read(() => money.days(guildNo, range)),
    topSources: ({ guildNo }, range, limit) => read(() => money.topSources(guildNo, range, limit)),
    largestBalances: ({ guildNo }, limit) => read(() => players.largest(guildNo, limit)),
    findPlayers: ({ guildNo }, text, limit) => read(() => players.search(guildNo, text, limit)),
    findPlayer: ({ guildNo }, playerId) => read(() => players.find(guildNo, playerId)),
    history: ({ guildNo }, playerId, pointsMax) => read(() => history(guildNo, playerId, pointsMax)),
    list: ({ guildNo }, playerId, query) =>
      read(() => list(guildNo, playerId, query)).then(({ transactions, total }) => ({
        transactions: transactions.map(toDetailed),
        total,
      })),
    listGuild: ({ guildNo }, query) =>
      read(() =>
        hasFilters(query) && hasMany(guildNo)
          ? readLong('listGuild', { guildNo, query }, lookedAtMax(query))
          : listGuild({ guildNo, query }),
      ),
    read: ({ guildNo }, playerId, query) => readAccount(guildNo, playerId, query),
    readGuild: ({ guildNo }, filter) => readGuildRanges(readExport, guildNo, filter),
  };
}

/** What the reader threads do for the money pages. */
export function createLedgerViewReads(db: DatabaseSync) {
  return {
    listDetailedTransactions: createVisitingListing<DetailedRow>(db, DETAILED),
    listGuild: createGuildListing(db),
    balanceHistory: createBalanceHistory(db),
  };
}
