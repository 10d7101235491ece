import type {
  BalancePoint,
  DetailedTransaction,
  ExportQuery,
  LedgerViewStore,
  OpenTimes,
} from '../../domain/ledger/ledger-views.ts';
import {
  BOTH_ENDS,
  BUCKET_POINTS,
  EVERY_POINT,
  historyBucketMs,
  spanValues,
} from '../balance-history-sql.ts';
import { POSTGRES } from '../dialect.ts';
import type { Engine } from '../jobs.ts';
import { createPick, type DetailedRow, toDetailed } from '../ledger/detailed-row.ts';
import { guildSql } from '../ledger/guild-listing-sql.ts';
import { detailedForm } from '../ledger/row-form.ts';
import { type AccountKey, accountSql, hasRange, lengthOf } from '../listing-sql.ts';
import type { LONG_READS } from '../long-reads.ts';
import { idOf } from './entries.ts';
import { createPlainListing, FIND_ACCOUNT, findSpan } from './listing.ts';
import { createMoneyViews } from './money-views.ts';
import { createPlayerViews } from './player-views.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { NO_HINTS, prepare, type Runner, type Snapshot } from './statement.ts';
import { createTurnoverReads } from './turnover.ts';

const DETAILED_OF_GUILD = detailedForm('$1');
const FIND_EVERY_POINT = prepare<BalancePoint>(EVERY_POINT);
const FIND_ENDS = prepare<BalancePoint>(BOTH_ENDS);
const FIND_BUCKET_POINTS = prepare<BalancePoint>(BUCKET_POINTS);

// Should an id have been imported twice, the one with the lowest number counts.
const FIND_TRANSACTION = prepare<DetailedRow>(
  `SELECT ${DETAILED_OF_GUILD.columns} FROM (SELECT * FROM ledger_transaction AS f
     WHERE f.guild_no = $1 AND ${idOf('f.transaction_id')} = $2::uuid ORDER BY f.number LIMIT 1) AS t
   ${DETAILED_OF_GUILD.joins} WHERE true ${DETAILED_OF_GUILD.condition}`,
);

interface LedgerViewParts {
  read: Runner;
  inSnapshot: Snapshot;
  openReader: OpenReader;
  engine: Engine<Record<never, never>, typeof LONG_READS>;
}

export function createLedgerViewStore({
  read,
  inSnapshot,
  openReader,
  engine,
}: LedgerViewParts): LedgerViewStore {
  const money = createMoneyViews(read);
  const players = createPlayerViews(read, inSnapshot);
  const list = createPlainListing<DetailedRow>(read, DETAILED_OF_GUILD);
  const turnover = createTurnoverReads(inSnapshot);

  async function findPart(
    guildNo: number,
    playerId: string,
    times: OpenTimes,
  ): Promise<AccountKey | undefined> {
    const account = await read.first(FIND_ACCOUNT, [guildNo, playerId]);
    return account && findSpan(read, { guildNo, ...account }, times);
  }

  async function* readAccount(
    guildNo: number,
    playerId: string,
    query: ExportQuery,
  ): AsyncGenerator<DetailedTransaction> {
    const account = await read.first(FIND_ACCOUNT, [guildNo, playerId]);
    if (account !== undefined) {
      const whole = { guildNo, ...account };
      const part: AccountKey = hasRange(query) ? await findSpan(read, whole, query) : whole;
      yield* readRows<DetailedRow, DetailedTransaction>({
        openReader,
        sql: accountSql(NO_HINTS, query, DETAILED_OF_GUILD),
        values: [guildNo, account.accountNo, part.count, part.skipped ?? 0],
        isWanted: createPick(query),
        convert: toDetailed,
      });
    }
  }

  return {
    totals: ({ guildNo }) => money.totals(guildNo),
    days: ({ guildNo }, range) => money.days(guildNo, range),
    topSources: ({ guildNo }, range, limit) => money.topSources(guildNo, range, limit),
    largestBalances: ({ guildNo }, limit) => players.largest(guildNo, limit),
    findPlayers: ({ guildNo }, text, limit) => players.search(guildNo, text, limit),
    findPlayer: ({ guildNo }, playerId) => players.find(guildNo, playerId),
    balanceBefore: ({ guildNo }, day) => money.balanceBefore(guildNo, day),
    sumsBetween: ({ guildNo }, times) => turnover.sumsBetween(guildNo, times),
    topPlayers: ({ guildNo }, times, limit) => turnover.topPlayers(guildNo, times, limit),
    overdrawn: ({ guildNo }, limit) => players.overdrawn(guildNo, limit),
    async accountSums({ guildNo }, playerId, times, sourcesMax) {
      const part = await findPart(guildNo, playerId, times);
      return part && turnover.accountSums(part, sourcesMax);
    },
    async history({ guildNo }, playerId, pointsMax, times = {}) {
      const part = await findPart(guildNo, playerId, times);
      if (part === undefined) {
        return [];
      }
      const span = spanValues(part);
      if (lengthOf(part) <= pointsMax) {
        return read.all(FIND_EVERY_POINT, span);
      }
      const bucketMs = historyBucketMs(await read.all(FIND_ENDS, span), pointsMax);
      return read.all(FIND_BUCKET_POINTS, [...span, bucketMs]);
    },
    async list({ guildNo }, playerId, query) {
      const { transactions, total } = await list(guildNo, playerId, query);
      return { transactions: transactions.map(toDetailed), total };
    },
    listGuild: ({ guildNo }, query) => engine.readLong('listGuild', { guildNo, query }, () => 0),
    read: ({ guildNo }, playerId, query) => readAccount(guildNo, playerId, query),
    async find({ guildNo }, transactionId) {
      const row = await read.first(FIND_TRANSACTION, [guildNo, transactionId]);
      return row && toDetailed(row);
    },
    readGuild: ({ guildNo }, filter, order = 'desc') =>
      readRows<DetailedRow, DetailedTransaction>({
        openReader,
        sql: guildSql(POSTGRES, order),
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
