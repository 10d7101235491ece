import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../domain/calendar.ts';
import {
  type AccountSums,
  type BalancePoint,
  type DetailedTransaction,
  type ExportQuery,
  type GuildListingQuery,
  type LedgerViewStore,
  type OpenTimes,
  SORTED_MAX,
} from '../../domain/ledger/ledger-views.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { TimeRange } from '../../domain/model.ts';
import type { Engine } from '../jobs.ts';
import { type DetailedRow, toDetailed } from '../ledger/detailed-row.ts';
import { lookedAtMax } from '../ledger/guild-listing-sql.ts';
import { detailedForm } from '../ledger/row-form.ts';
import { type AccountKey, hasFilters, hasRange, lengthOf } from '../listing-sql.ts';
import type { LONG_READS } from '../long-reads.ts';
import { createBalanceHistory } from './balance-history.ts';
import { prepare } from './connection.ts';
import { idBytes } from './entries.ts';
import { readAccountRanges, readGuildRanges } from './export-ranges.ts';
import type { ExportReads } from './export-reads.ts';
import { createListing, createSpan, createVisitingListing, prepareAccount } from './listing.ts';
import { prepareHasMany, ROWS_HERE_MAX } from './long-read.ts';
import { createMoneyViews } from './money-views.ts';
import { createPlayerViews } from './player-views.ts';
import { createTurnoverReads } from './turnover.ts';
import type { CallOf, LongReadOf, Read } from './write.ts';

const DETAILED = detailedForm('t.guild_no');

interface LedgerViewParts {
  db: DatabaseSync;
  read: Read;
  readLong: LongReadOf<LedgerViewReads>;
  readExport: CallOf<ExportReads>;
  engine: Engine<Record<never, never>, typeof LONG_READS>;
}

export type LedgerViewReads = ReturnType<typeof createLedgerViewReads>;

export function createLedgerViewStore(parts: LedgerViewParts): LedgerViewStore {
  const { db, read, readLong, readExport, engine } = parts;
  const money = createMoneyViews(db);
  const players = createPlayerViews(db);
  const findAccount = prepareAccount(db);
  const list = createListing<DetailedRow>(db, {
    form: DETAILED,
    findAccount,
    listElsewhere: (input, rows) => readLong('listDetailedTransactions', input, rows),
  });
  const hasMany = prepareHasMany(db, { table: 'ledger_transaction', index: 'ledger_by_time' });
  const readHistory = createBalanceHistory(db);
  const turnover = createTurnoverReads(db);
  const spanOf = createSpan(db);
  const findTransaction = prepareTransaction(db);

  async function* readAccount(
    guildNo: number,
    playerId: string,
    query: ExportQuery,
  ): AsyncGenerator<DetailedTransaction> {
    const account = await read(() => findAccount(guildNo, playerId));
    if (account !== undefined) {
      const whole = { guildNo, ...account };
      const part = hasRange(query) ? await read(() => spanOf(whole, query)) : whole;
      yield* readAccountRanges(readExport, part, query);
    }
  }

  function partOf(guildNo: number, playerId: string, times: OpenTimes): AccountKey | undefined {
    const account = findAccount(guildNo, playerId);
    return account && spanOf({ guildNo, ...account }, times);
  }

  function history(part: AccountKey | undefined, pointsMax: number): MaybePromise<BalancePoint[]> {
    if (part === undefined) {
      return [];
    }
    const input = { ...part, pointsMax };
    return lengthOf(part) > ROWS_HERE_MAX
      ? readLong('balanceHistory', input, lengthOf(part))
      : readHistory(input);
  }

  function accountSums(
    part: AccountKey | undefined,
    sourcesMax: number,
  ): MaybePromise<AccountSums | undefined> {
    if (part === undefined) {
      return undefined;
    }
    const input = { account: part, sourcesMax };
    return lengthOf(part) > ROWS_HERE_MAX
      ? readLong('accountSums', input, lengthOf(part))
      : turnover.accountSums(input);
  }

  /** How many transactions the days have that a span reaches into. */
  function entriesOf(guildNo: number, { sinceMs, untilMs }: TimeRange): number {
    const days = money.days(guildNo, { since: dayOf(sinceMs), until: dayOf(untilMs) });
    return days.reduce((sum, day) => sum + day.depositCount + day.withdrawalCount, 0);
  }

  return {
    totals: ({ guildNo }) => read(() => money.totals(guildNo)),
    days: ({ guildNo }, range) => read(() => money.days(guildNo, range)),
    topSources: ({ guildNo }, range, limit) => read(() => money.topSources(guildNo, range, limit)),
    largestBalances: ({ guildNo }, limit) => read(() => players.largest(guildNo, limit)),
    findPlayers: ({ guildNo }, text, limit) => read(() => players.search(guildNo, text, limit)),
    findPlayer: ({ guildNo }, playerId) => read(() => players.find(guildNo, playerId)),
    history: ({ guildNo }, playerId, pointsMax, times = {}) =>
      read(() => history(partOf(guildNo, playerId, times), pointsMax)),
    accountSums: ({ guildNo }, playerId, times, sourcesMax) =>
      read(() => accountSums(partOf(guildNo, playerId, times), sourcesMax)),
    balanceBefore: ({ guildNo }, day) => read(() => money.balanceBefore(guildNo, day)),
    sumsBetween: ({ guildNo }, times) =>
      read(() => {
        const entries = entriesOf(guildNo, times);
        return entries > ROWS_HERE_MAX
          ? readLong('sumsBetween', { guildNo, times }, entries)
          : turnover.sumsBetween({ guildNo, times });
      }),
    topPlayers: ({ guildNo }, times, limit) =>
      read(() => {
        const entries = entriesOf(guildNo, times);
        const input = { guildNo, times, limit };
        return entries > ROWS_HERE_MAX ? readLong('topPlayers', input, entries) : turnover.topPlayers(input);
      }),
    overdrawn: ({ guildNo }, limit) => read(() => players.overdrawn(guildNo, limit)),
    list: ({ guildNo }, playerId, query) =>
      read(() => list(guildNo, playerId, query)).then(({ transactions, total }) => ({
        transactions: transactions.map(toDetailed),
        total,
      })),
    listGuild: ({ guildNo }, query) =>
      engine.readLong('listGuild', { guildNo, query }, () =>
        isLong(query) && hasMany(guildNo) ? Math.min(lookedAtMax(query), SORTED_MAX) : 0,
      ),
    read: ({ guildNo }, playerId, query) => readAccount(guildNo, playerId, query),
    find: ({ guildNo }, transactionId) =>
      read(() => {
        const row = findTransaction.get(guildNo, idBytes(transactionId));
        return row && toDetailed(row);
      }),
    readGuild: ({ guildNo }, filter, order = 'desc') =>
      readGuildRanges(readExport, guildNo, { filter, order }),
  };
}

/** Whether a page may have to look at many transactions. */
function isLong(query: GuildListingQuery): boolean {
  return (
    hasFilters(query) ||
    hasRange(query) ||
    query.search !== undefined ||
    (query.sortBy ?? 'createdAt') !== 'createdAt'
  );
}

/** One transaction by its id; should an id have been imported twice, the one with the lowest number. */
function prepareTransaction(db: DatabaseSync) {
  return prepare<DetailedRow>(
    db,
    `SELECT ${DETAILED.columns} FROM ledger_transaction AS t INDEXED BY ledger_by_id ${DETAILED.joins}
     WHERE t.guild_no = ? AND unhex(replace(t.transaction_id, '-', '')) = ? ${DETAILED.condition}
     ORDER BY t.number LIMIT 1`,
  );
}

/** What the reader threads do for the money pages. */
export function createLedgerViewReads(db: DatabaseSync) {
  return {
    listDetailedTransactions: createVisitingListing<DetailedRow>(db, DETAILED),
    balanceHistory: createBalanceHistory(db),
    ...createTurnoverReads(db),
  };
}
