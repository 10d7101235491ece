import type { ActingPerson } from '../access/actors.ts';
import type { Guilds } from '../access/guilds.ts';
import { dayOf } from '../calendar.ts';
import type { GuildRef } from '../model.ts';
import { type CorrectionInput, effectOf, extraOf, sidesOf } from './corrections.ts';
import { assertCovered } from './covered.ts';
import { type AccountSummary, type EntryStore, isTransactionId, missingTransaction } from './entries.ts';
import type { SetFloor } from './floors.ts';
import { type Ledger, type PostOutcome, toFilter, toListingQuery } from './ledger.ts';
import { cursorOf, readCursor } from './ledger-cursor.ts';
import type {
  DetailedTransaction,
  FilteredSums,
  GuildListing,
  PlayerAccount,
  PlayerBalance,
  ShownListing,
  ShownTransaction,
  TopPlayers,
} from './ledger-views.ts';
import { type DaysInput, lookOver, type Overview, type OverviewParts, readRange } from './overview.ts';
import { type PlayerActivity, readActivity } from './player-activity.ts';
import {
  exportStatement,
  type PlayerStatement,
  readStatement,
  type StatementExport,
} from './player-statement.ts';
import type { ReversalInput, ReversalOutcome, Reverse } from './reversals.ts';
import {
  type ExportInput,
  type FilterInput,
  type GuildListInput,
  type PlayerListInput,
  readSorted,
  type TimesInput,
  toTimes,
  toViewFilter,
} from './view-filters.ts';

const TOP_PLAYERS_SHOWN_MAX = 8;
/** Sources offered as filters: those of the last 400 days, so that a year can be compared with the year before. */
const FILTER_SOURCES_MAX = 50;
const FILTER_SOURCES_DAYS = 400;

/**
 * For a player without an account only the id is set: verifications are shared between guilds, and must not be
 * revealed here.
 */
export interface PlayerView extends PlayerBalance {
  account: PlayerAccount | undefined;
  sources: string[];
}

export interface GuildPage extends Omit<GuildListing, 'next'> {
  next: string | undefined;
  sources: string[];
}

/** The money pages of a guild, and the corrections made there. Rejects for an unknown guild. */
export interface GuildLedger {
  overview(guildId: string, range: DaysInput): Promise<Overview>;
  /** The players who earned and spent most in the same days. */
  topPlayers(guildId: string, range: DaysInput): Promise<TopPlayers>;
  /** Without a text: the players with the largest balances. */
  players(guildId: string, text: string, limit: number): Promise<PlayerBalance[]>;
  player(guildId: string, playerId: string): Promise<PlayerView>;
  activity(guildId: string, playerId: string, times: TimesInput): Promise<PlayerActivity>;
  /** A player's account as of an ISO 8601 time. Rejects with `archived` when a later transaction is archived. */
  balanceAt(guildId: string, playerId: string, at: string): Promise<AccountSummary>;
  statement(guildId: string, playerId: string, times: TimesInput): Promise<PlayerStatement>;
  exportStatement(guildId: string, playerId: string, times: TimesInput): Promise<StatementExport>;
  list(guildId: string, playerId: string, input: PlayerListInput): Promise<ShownListing>;
  /** One transaction of the guild with all fields. */
  transaction(guildId: string, transactionId: string): Promise<DetailedTransaction>;
  listGuild(guildId: string, input: GuildListInput & { limit: number; before?: string }): Promise<GuildPage>;
  /** The sums of everything that `listGuild` finds. */
  sumGuild(guildId: string, input: FilterInput): Promise<FilteredSums>;
  /** Rejects an invalid query before the first row. */
  export(guildId: string, playerId: string, input: ExportInput): Promise<AsyncIterable<ShownTransaction>>;
  exportGuild(guildId: string, input: GuildListInput): Promise<AsyncIterable<DetailedTransaction>>;
  /** These transactions, in this order. Rejects before the first row when one of them is missing. */
  exportSelected(
    guildId: string,
    transactionIds: readonly string[],
  ): Promise<AsyncIterable<DetailedTransaction>>;
  /** Posts on behalf of the person, by the rules of the interface. The caller checks their role. */
  correct(
    person: ActingPerson,
    guildId: string,
    input: CorrectionInput,
    idempotencyKey?: string,
  ): Promise<PostOutcome>;
  /**
   * Reverses transactions on behalf of the person, together with the other sides of their payments: all or none. The
   * caller checks their role.
   */
  reverse(
    person: ActingPerson,
    guildId: string,
    input: ReversalInput,
    idempotencyKey?: string,
  ): Promise<ReversalOutcome>;
  /** Sets the lowest balance to which withdrawals may take a player's account. */
  setFloor(person: ActingPerson, account: Parameters<SetFloor>[0]): Promise<void>;
}

export interface GuildLedgerParts extends OverviewParts {
  ledger: Ledger;
  reverse: Reverse;
  setFloor: SetFloor;
  entries: Pick<EntryStore, 'account' | 'find' | 'findMany' | 'findPayments' | 'isArchived' | 'isKeyUsed'>;
  guilds: Guilds;
}

export function createGuildLedger(parts: GuildLedgerParts): GuildLedger {
  const { views, ledger, guilds, clock } = parts;

  async function recentSources(guild: GuildRef): Promise<string[]> {
    const until = dayOf(clock.nowMs());
    const range = { since: until - FILTER_SOURCES_DAYS, until };
    const sources = await views.topSources(guild, range, FILTER_SOURCES_MAX);
    return sources.map(({ source }) => source);
  }

  async function findTransaction(guild: GuildRef, transactionId: string): Promise<DetailedTransaction> {
    const found = isTransactionId(transactionId) ? await views.find(guild, transactionId) : undefined;
    if (found === undefined) {
      throw await missingTransaction(parts.entries, guild, transactionId);
    }
    return found;
  }

  return {
    async overview(guildId, asked) {
      const guild = await guilds.find(guildId);
      return lookOver(parts, guild, asked);
    },
    async topPlayers(guildId, asked) {
      const guild = await guilds.find(guildId);
      const { sinceMs, untilMs } = await readRange(parts, guild, asked);
      return views.topPlayers(guild, { sinceMs, untilMs }, TOP_PLAYERS_SHOWN_MAX);
    },
    async players(guildId, text, limit) {
      const guild = await guilds.find(guildId);
      const wanted = text.trim();
      return wanted === '' ? views.largestBalances(guild, limit) : views.findPlayers(guild, wanted, limit);
    },
    async player(guildId, playerId) {
      const guild = await guilds.find(guildId);
      const [account, sources] = await Promise.all([views.findPlayer(guild, playerId), recentSources(guild)]);
      const nothing = { playerId, username: undefined, balanceUnits: 0, transactions: 0 };
      return { ...(account ?? nothing), account, sources };
    },
    async activity(guildId, playerId, input) {
      return readActivity(views, await guilds.find(guildId), playerId, toTimes(input));
    },
    async balanceAt(guildId, playerId, at) {
      return parts.entries.account(await guilds.find(guildId), playerId, Date.parse(at));
    },
    async statement(guildId, playerId, input) {
      return readStatement(views, await guilds.find(guildId), playerId, toTimes(input));
    },
    async exportStatement(guildId, playerId, input) {
      return exportStatement(views, await guilds.find(guildId), playerId, toTimes(input));
    },
    async list(guildId, playerId, input) {
      const query = { ...toListingQuery(input), ...toTimes(input) };
      return views.list(await guilds.find(guildId), playerId, query);
    },
    async transaction(guildId, transactionId) {
      return findTransaction(await guilds.find(guildId), transactionId);
    },
    async exportSelected(guildId, transactionIds) {
      const guild = await guilds.find(guildId);
      const rows: DetailedTransaction[] = [];
      for (const transactionId of transactionIds) {
        rows.push(await findTransaction(guild, transactionId));
      }
      return (async function* () {
        yield* rows;
      })();
    },
    async listGuild(guildId, { limit, before, sortBy, sortOrder, ...filters }) {
      const guild = await guilds.find(guildId);
      const query = {
        limit,
        after: before === undefined ? undefined : readCursor(before),
        sortBy,
        sortOrder,
        ...toViewFilter(filters),
      };
      const [{ next, ...page }, sources] = await Promise.all([
        views.listGuild(guild, query),
        recentSources(guild),
      ]);
      return { ...page, next: next && cursorOf(next), sources };
    },
    async sumGuild(guildId, input) {
      return views.filteredSums(await guilds.find(guildId), toViewFilter(input));
    },
    async export(guildId, playerId, { sortBy, sortOrder, ...filters }) {
      const query = { ...toFilter(filters), ...toTimes(filters), sortBy, sortOrder };
      return views.read(await guilds.find(guildId), playerId, query);
    },
    async exportGuild(guildId, { sortBy, sortOrder, ...filters }) {
      const guild = await guilds.find(guildId);
      const filter = toViewFilter(filters);
      return sortBy === 'createdAt'
        ? views.readGuild(guild, filter, sortOrder)
        : readSorted(views, guild, { ...filter, sortBy, sortOrder });
    },
    async correct(person, guildId, input, idempotencyKey) {
      const guild = await guilds.find(guildId);
      const extra = await extraOf(parts, guild, input.corrects);
      // A withdrawal with the `deposit` flag is refused by the post.
      if (input.deposit !== true) {
        await assertCovered(parts, guild, [effectOf(input)], { ...input, idempotencyKey });
      }
      return ledger.correct(guild, person.user.chatId, { ...input, extra }, idempotencyKey);
    },
    async reverse(person, guildId, input, idempotencyKey) {
      const { guildNo } = await guilds.find(guildId);
      const by = { guild: { guildNo, guildId }, keyNo: undefined, postedBy: person.user.chatId };
      const transactionIds = await sidesOf(parts, by.guild, input.transactionIds);
      return parts.reverse(by, { ...input, transactionIds }, idempotencyKey);
    },
    setFloor: (person, account) => parts.setFloor(account, { kind: 'user', id: person.user.chatId }),
  };
}
