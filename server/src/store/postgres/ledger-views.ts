import type {
  BalancePoint,
  DetailedTransaction,
  ExportQuery,
  LedgerViewStore,
} from '../../domain/ledger/ledger-views.ts';
import { BOTH_ENDS, BUCKET_POINTS, EVERY_POINT, historyBucketMs } from '../balance-history-sql.ts';
import { createPick, type DetailedRow, toDetailed } from '../detailed-row.ts';
import { guildSql } from '../guild-listing-sql.ts';
import { accountSql } from '../listing-sql.ts';
import { createGuildListing, DETAILED_OF_GUILD, GUILD_DIALECT } from './guild-listing.ts';
import { createPlainListing, FIND_ACCOUNT } from './listing.ts';
import { createMoneyViews } from './money-views.ts';
import { createPlayerViews } from './player-views.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { NO_HINTS, prepare, type Runner, type Snapshot } from './statement.ts';

const FIND_EVERY_POINT = prepare<BalancePoint>(EVERY_POINT);
const FIND_ENDS = prepare<BalancePoint>(BOTH_ENDS);
const FIND_BUCKET_POINTS = prepare<BalancePoint>(BUCKET_POINTS);

interface LedgerViewParts {
  read: Runner;
  inSnapshot: Snapshot;
  openReader: OpenReader;
}

export function createLedgerViewStore({ read, inSnapshot, openReader }: LedgerViewParts): LedgerViewStore {
  const money = createMoneyViews(read);
  const players = createPlayerViews(read, inSnapshot);
  const list = createPlainListing<DetailedRow>(read, DETAILED_OF_GUILD);
  const listGuild = createGuildListing(inSnapshot);

  async function* readAccount(
    guildNo: number,
    playerId: string,
    query: ExportQuery,
  ): AsyncGenerator<DetailedTransaction> {
    const account = await read.first(FIND_ACCOUNT, [guildNo, playerId]);
    if (account !== undefined) {
      yield* readRows<DetailedRow, DetailedTransaction>({
        openReader,
        sql: accountSql(NO_HINTS, query, DETAILED_OF_GUILD),
        values: [guildNo, account.accountNo, account.count],
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
    async history({ guildNo }, playerId, pointsMax) {
      const account = await read.first(FIND_ACCOUNT, [guildNo, playerId]);
      if (account === undefined) {
        return [];
      }
      const span = [guildNo, account.accountNo, account.count];
      if (account.count <= pointsMax) {
        return read.all(FIND_EVERY_POINT, span);
      }
      const bucketMs = historyBucketMs(await read.all(FIND_ENDS, span), pointsMax);
      return read.all(FIND_BUCKET_POINTS, [...span, bucketMs]);
    },
    async list({ guildNo }, playerId, query) {
      const { transactions, total } = await list(guildNo, playerId, query);
      return { transactions: transactions.map(toDetailed), total };
    },
    listGuild: ({ guildNo }, query) => listGuild(guildNo, query),
    read: ({ guildNo }, playerId, query) => readAccount(guildNo, playerId, query),
    readGuild: ({ guildNo }, filter) =>
      readRows<DetailedRow, DetailedTransaction>({
        openReader,
        sql: guildSql(GUILD_DIALECT),
        values: [guildNo],
        isWanted: createPick(filter),
        convert: toDetailed,
      }),
  };
}
