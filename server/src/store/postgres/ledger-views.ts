import type {
  BalancePoint,
  DetailedTransaction,
  ExportQuery,
  LedgerViewStore,
} from '../../domain/ledger/ledger-views.ts';
import { createPick, type DetailedRow, toDetailed } from '../detailed-row.ts';
import { evenly } from '../evenly.ts';
import { guildSql } from '../guild-listing-sql.ts';
import { accountSql, DETAILED } from '../listing-sql.ts';
import { createGuildListing, GUILD_DIALECT } from './guild-listing.ts';
import { createPlainListing, FIND_ACCOUNT } from './listing.ts';
import { createMoneyViews } from './money-views.ts';
import { createPlayerViews } from './player-views.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { NO_HINTS, prepare, type Runner, type Snapshot } from './statement.ts';

// seq is dense, so that points evenly along it are so many look-ups by key.
const FIND_POINTS = prepare<BalancePoint>(
  `SELECT created_at AS "atMs", balance_after AS "balanceUnits" FROM ledger_transaction
   WHERE guild_no = $1 AND account_no = $2 AND seq = ANY ($3::bigint[]) ORDER BY seq`,
);

interface LedgerViewParts {
  read: Runner;
  inSnapshot: Snapshot;
  openReader: OpenReader;
}

export function createLedgerViewStore({ read, inSnapshot, openReader }: LedgerViewParts): LedgerViewStore {
  const money = createMoneyViews(read);
  const players = createPlayerViews(read, inSnapshot);
  const list = createPlainListing<DetailedRow>(read, DETAILED);
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
        sql: accountSql(NO_HINTS, query, DETAILED),
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
      return account === undefined
        ? []
        : read.all(FIND_POINTS, [guildNo, account.accountNo, evenly(account.count, pointsMax)]);
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
