import { dayOf } from '../../domain/calendar.ts';
import { isTransactionId } from '../../domain/ledger/entries.ts';
import {
  type DetailedTransaction,
  type ExportQuery,
  type GuildListingQuery,
  type LedgerViewStore,
  type MoneySums,
  type OpenTimes,
  SORTED_MAX,
  SUMMED_MAX,
  type ViewFilter,
} from '../../domain/ledger/ledger-views.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { SortOrder, TimeRange } from '../../domain/model.ts';
import type { Engine } from '../jobs.ts';
import { type Sql, statement } from '../sql.ts';
import { balanceHistory } from './balance-history.ts';
import { addCorrections } from './corrections.ts';
import { createPick, type DetailedRow, toDetailed } from './detailed-row.ts';
import { filteredSums } from './filtered-sums.ts';
import { listGuild } from './guild-listing.ts';
import { countedKinds, lookedAtMax } from './guild-listing-sql.ts';
import { type AccountKey, lengthOf } from './listed-account.ts';
import { hasRange } from './listing-sql.ts';
import { createMoneyViews } from './money-views.ts';
import type { Page } from './page-cache.ts';
import { createPlayerViews } from './player-views.ts';
import { detailedForm } from './row-form.ts';
import { resolveSearch, type SearchedFilter } from './searched.ts';
import { countCutDays, SPAN_READS } from './span-sums.ts';
import { hasFilters } from './transaction-filters.ts';
import { TURNOVER_READS } from './turnover.ts';

export const LEDGER_VIEW_READS = {
  listGuild,
  filteredSums,
  balanceHistory,
  ...SPAN_READS,
  ...TURNOVER_READS,
};

export const FIND_ACCOUNT = statement<
  Omit<AccountKey, 'guildNo'> & { skipped: number; archivedAtMs: number | null }
>(
  `SELECT account_no AS "accountNo", transaction_count AS count, archived_count AS skipped, archived_at AS "archivedAtMs"
   FROM account WHERE guild_no = $1 AND player_id = $2`,
);
const FORM = detailedForm('$1');
// When an id was imported twice, the transaction with the lowest number counts.
const FIND_TRANSACTION = statement<DetailedRow>(
  ({ indexedBy, isId }) =>
    `SELECT ${FORM.columns} FROM (SELECT * FROM ledger_transaction AS f ${indexedBy('ledger_by_id')}
       WHERE f.guild_no = $1 AND ${isId('f.transaction_id', '$2')} ORDER BY f.number LIMIT 1) AS t
     ${FORM.joins} WHERE true ${FORM.condition}`,
);
// Reads no more entries of the index than `$2`: the only question is whether there are more.
const HAS_MANY = statement<{ found: number }>(
  ({ indexedBy }) =>
    `SELECT 1 AS found FROM ledger_transaction ${indexedBy('ledger_by_time')} WHERE guild_no = $1 LIMIT 1 OFFSET $2`,
);

/** A guild with at most this many transactions is listed on the calling thread. */
const SHORT_LEDGER = 2_000;

/** The parts of the money pages that differ between the engines. */
export interface LedgerViewParts {
  engine: Engine<Record<never, never>, typeof LEDGER_VIEW_READS>;
  /** A page of one account. It shares its code with the interface's own list. */
  listAccount(
    guildNo: number,
    playerId: string,
    query: Parameters<LedgerViewStore['list']>[2],
  ): Promise<Page<DetailedRow>>;
  /** The part of an account that lies within a range of time. */
  findSpan(account: AccountKey, times: OpenTimes): MaybePromise<AccountKey>;
  /** Streams a part of an account as of one time. */
  exportAccount(account: AccountKey, query: ExportQuery): AsyncGenerator<DetailedTransaction>;
  /** Streams a guild's transactions by time, as of one time. */
  exportGuild(guildNo: number, filter: SearchedFilter, order: SortOrder): AsyncGenerator<DetailedTransaction>;
}

export function createLedgerViewStore(parts: LedgerViewParts): LedgerViewStore {
  const { engine, listAccount, findSpan, exportAccount, exportGuild } = parts;
  const { readAside: read, readLong } = engine;
  const money = createMoneyViews(read);
  const players = createPlayerViews(engine);

  async function findAccount(guildNo: number, playerId: string) {
    const account = await read.first(FIND_ACCOUNT, [guildNo, playerId]);
    return account && { guildNo, ...account };
  }

  async function findPart(guildNo: number, playerId: string, times: OpenTimes) {
    const account = await findAccount(guildNo, playerId);
    return account && (hasRange(times) ? findSpan(account, times) : account);
  }

  async function* readAccount(guildNo: number, playerId: string, query: ExportQuery) {
    const part = await findPart(guildNo, playerId, query);
    if (part !== undefined) {
      yield* exportAccount(part, query);
    }
  }

  async function* readFiltered(guildNo: number, filter: ViewFilter, order: SortOrder) {
    const one = await findSearched(read, guildNo, filter);
    if (one === undefined) {
      yield* exportGuild(guildNo, await resolveSearch(read, guildNo, filter), order);
    } else {
      yield* one.matches;
    }
  }

  /** The number of transactions on the days that a span touches. */
  async function entriesOf(guildNo: number, { sinceMs, untilMs }: TimeRange): Promise<number> {
    const days = await money.days(guildNo, { since: dayOf(sinceMs), until: dayOf(untilMs) });
    return days.reduce((sum, day) => sum + day.depositCount + day.withdrawalCount, 0);
  }

  const countRead = async (guildNo: number, timesMs: readonly number[]) =>
    (await countCutDays(read, guildNo, timesMs)) ?? 0;

  return {
    totals: ({ guildNo }) => money.totals(guildNo),
    days: ({ guildNo }, range) => money.days(guildNo, range),
    topSources: ({ guildNo }, range, limit) => money.topSources(guildNo, range, limit),
    sourcesBetween: ({ guildNo }, times, limit) =>
      readLong('sourcesBetween', { guildNo, times, limit }, () =>
        countRead(guildNo, [times.sinceMs, times.untilMs]),
      ),
    totalsBefore: ({ guildNo }, timeMs) =>
      readLong('totalsBefore', { guildNo, timeMs }, () => countRead(guildNo, [timeMs])),
    spanSums: ({ guildNo }, timesMs) =>
      readLong('spanSums', { guildNo, timesMs }, () => countRead(guildNo, timesMs)),
    countCutDays: ({ guildNo }, timesMs) => countCutDays(read, guildNo, timesMs),
    largestBalances: ({ guildNo }, limit) => players.largest(guildNo, limit),
    countAbove: ({ guildNo }, balanceUnits) => players.above(guildNo, balanceUnits),
    findPlayers: ({ guildNo }, text, limit) => players.search(guildNo, text, limit),
    findPlayer: ({ guildNo }, playerId) => players.find(guildNo, playerId),
    findFunds: ({ guildNo }, playerIds) => players.funds(guildNo, playerIds),
    overdrawn: ({ guildNo }, limit) => players.overdrawn(guildNo, limit),
    async history({ guildNo }, playerId, spansMax, times = {}) {
      const account = await findPart(guildNo, playerId, times);
      return account === undefined
        ? []
        : readLong('balanceHistory', { account, spansMax }, () => lengthOf(account));
    },
    async accountSums({ guildNo }, playerId, times, sourcesMax) {
      const whole = await findAccount(guildNo, playerId);
      if (whole === undefined) {
        return undefined;
      }
      const { archivedAtMs } = whole;
      const account = hasRange(times) ? await findSpan(whole, times) : whole;
      const sums = await readLong('accountSums', { account, sourcesMax }, () => lengthOf(account));
      const beginsInArchive = archivedAtMs !== null && (times.sinceMs ?? archivedAtMs) <= archivedAtMs;
      return { ...sums, archivedUntilMs: beginsInArchive ? archivedAtMs : undefined };
    },
    topPlayers: ({ guildNo }, times, limit) =>
      readLong('topPlayers', { guildNo, times, limit }, () => entriesOf(guildNo, times)),
    async list({ guildNo }, playerId, query) {
      const { transactions, total } = await listAccount(guildNo, playerId, query);
      return { transactions: await addCorrections(read, guildNo, transactions.map(toDetailed)), total };
    },
    async listGuild({ guildNo }, asked) {
      const one = await findSearched(read, guildNo, asked);
      const query = await resolveSearch(read, guildNo, asked);
      const page =
        one === undefined
          ? await readLong('listGuild', { guildNo, query }, () => rowsOfListing(read, guildNo, query))
          : {
              transactions: one.matches,
              next: undefined,
              searchedToMs: undefined,
              total: one.matches.length,
            };
      return { ...page, transactions: await addCorrections(read, guildNo, page.transactions) };
    },
    async filteredSums({ guildNo }, asked) {
      const one = await findSearched(read, guildNo, asked);
      if (one !== undefined) {
        return { ...sumsOf(one.matches), searchedToMs: undefined };
      }
      const filter = await resolveSearch(read, guildNo, asked);
      return readLong('filteredSums', { guildNo, filter }, () => rowsOfSums(read, guildNo, filter));
    },
    async find({ guildNo }, transactionId) {
      const row = await read.first(FIND_TRANSACTION, [guildNo, transactionId]);
      return row && (await addCorrections(read, guildNo, [toDetailed(row)]))[0];
    },
    read: ({ guildNo }, playerId, query) => readAccount(guildNo, playerId, query),
    readGuild: ({ guildNo }, filter, order = 'desc') => readFiltered(guildNo, filter, order),
  };
}

/**
 * The transaction whose id is the search text: no other one is looked for. `matches` is empty when it does not pass the other
 * filters. Undefined when the text is no id of a transaction.
 */
async function findSearched(
  read: Sql,
  guildNo: number,
  { search = '', ...filter }: ViewFilter,
): Promise<{ matches: DetailedTransaction[] } | undefined> {
  const id = search.toLowerCase();
  const row = isTransactionId(id) ? await read.first(FIND_TRANSACTION, [guildNo, id]) : undefined;
  if (row === undefined) {
    return undefined;
  }
  const { sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = filter;
  const isMatch = createPick(filter)(row) && row.createdAtMs >= sinceMs && row.createdAtMs < untilMs;
  return { matches: isMatch ? [toDetailed(row)] : [] };
}

function sumsOf(transactions: readonly DetailedTransaction[]): MoneySums {
  const sums = { depositCount: 0, depositUnits: 0n, withdrawalCount: 0, withdrawalUnits: 0n };
  for (const { totalUnits } of transactions) {
    const direction = totalUnits > 0 ? 'deposit' : 'withdrawal';
    sums[`${direction}Count`] += 1;
    sums[`${direction}Units`] += BigInt(Math.abs(totalUnits));
  }
  return sums;
}

/** The number of transactions that sums may visit. Whole days have stored sums. */
async function rowsOfSums(read: Sql, guildNo: number, filter: ViewFilter): Promise<number> {
  const isByDays = countedKinds(filter) !== undefined && !hasRange(filter);
  return isByDays || (await read.first(HAS_MANY, [guildNo, SHORT_LEDGER])) === undefined ? 0 : SUMMED_MAX;
}

/** The number of transactions that a page may visit. */
async function rowsOfListing(read: Sql, guildNo: number, query: GuildListingQuery): Promise<number> {
  const isShort =
    !hasFilters(query) &&
    !hasRange(query) &&
    query.search === undefined &&
    (query.sortBy ?? 'createdAt') === 'createdAt';
  return isShort || (await read.first(HAS_MANY, [guildNo, SHORT_LEDGER])) === undefined
    ? 0
    : Math.min(lookedAtMax(query), SORTED_MAX);
}
