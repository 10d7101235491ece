import type { Guilds } from '../access/guilds.ts';
import { type DayRange, dayOf, monthSoFar, parseDay, startOfDayMs } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import type { Discharge, Guild, GuildRef, Session, TransactionExtra, Transfer } from '../model.ts';
import type { Clock, RecordStore } from '../ports.ts';
import { type EntryStore, isTransactionId } from './entries.ts';
import type { SetFloor } from './floors.ts';
import { type Ledger, type ListingInput, type PostOutcome, toFilter, toListingQuery } from './ledger.ts';
import { cursorOf, readCursor } from './ledger-cursor.ts';
import type {
  BalancePoint,
  DaySums,
  DetailedListing,
  DetailedTransaction,
  GuildListing,
  GuildListingQuery,
  GuildTotals,
  LedgerViewStore,
  MoneySums,
  PlayerAccount,
  PlayerBalance,
  SourceSums,
  ViewFilter,
} from './ledger-views.ts';
import type { ReversalOutcome, Reverse } from './reversals.ts';

export const RANGE_DAYS_MAX = 3_660;
const RANGE_DAYS_DEFAULT = 30;
const SOURCES_SHOWN_MAX = 12;
const BALANCES_SHOWN_MAX = 10;
const HISTORY_POINTS_MAX = 400;
/** Names offered for filters: those of the last 400 days, so that a year can be compared with the one before. */
const FILTER_SOURCES_MAX = 50;
const FILTER_SOURCES_DAYS = 400;

/** Everything of one stretch of days added up. */
export interface PeriodSums extends MoneySums {
  accountsOpened: number;
  discharges: number;
  transfers: number;
}

export interface Overview {
  totals: GuildTotals;
  month: { current: DayRange & PeriodSums; previous: DayRange & PeriodSums };
  range: DayRange;
  days: DaySums[];
  /** The largest ones; the one without a name is all others together. */
  sources: (MoneySums & { source: string | undefined })[];
  largestBalances: PlayerBalance[];
}

/** A player without an account has nothing but an id. */
export interface PlayerView extends PlayerBalance {
  account: PlayerAccount | undefined;
  history: BalancePoint[];
  sources: string[];
}

export interface GuildPage extends Omit<GuildListing, 'next'> {
  next: string | undefined;
  sources: string[];
}

/** ISO 8601 times: the first is included, the second is not. */
export interface TimesInput {
  since?: string | undefined;
  until?: string | undefined;
}
export interface FilterInput extends Pick<ListingInput, 'from' | 'minAmount' | 'maxAmount'>, TimesInput {
  search?: string | undefined;
}
export interface GuildListInput extends FilterInput, Pick<ListingInput, 'sortBy' | 'sortOrder'> {}
export type PlayerListInput = ListingInput & TimesInput;
export type ExportInput = Omit<PlayerListInput, 'page' | 'limit'>;

export interface CorrectionInput {
  playerId: string;
  name: string;
  quantity: number;
  amount: number;
  deposit?: boolean | undefined;
  withdrawal?: boolean | undefined;
  /** The id of the guild's transaction that it corrects; it is kept in the metadata. */
  corrects?: string | undefined;
}

/** What the money pages show of a guild, and the corrections made there. A guild the service does not know fails. */
export interface GuildLedger {
  /** Days as `2027-01-31`, both ends included; by default the last thirty. */
  overview(guildId: string, range: { since?: string; until?: string }): Promise<Overview>;
  /** Without a text: those with the largest balances. */
  players(guildId: string, text: string, limit: number): Promise<PlayerBalance[]>;
  player(guildId: string, playerId: string): Promise<PlayerView>;
  list(guildId: string, playerId: string, input: PlayerListInput): Promise<DetailedListing>;
  /** Everything known of one transaction of the guild. */
  transaction(guildId: string, transactionId: string): Promise<DetailedTransaction>;
  listGuild(guildId: string, input: GuildListInput & { limit: number; before?: string }): Promise<GuildPage>;
  /** Fails before the first row when the query is wrong. */
  export(guildId: string, playerId: string, input: ExportInput): Promise<AsyncIterable<DetailedTransaction>>;
  exportGuild(guildId: string, input: GuildListInput): Promise<AsyncIterable<DetailedTransaction>>;
  /** Posts by the rules of the interface, in the name of the person. Whether they may is for the caller to ask. */
  correct(
    session: Session,
    guildId: string,
    input: CorrectionInput,
    idempotencyKey?: string,
  ): Promise<PostOutcome>;
  /**
   * Takes a transaction back in the name of the person, the other side of its payment with it. Whether they may is for the
   * caller to ask.
   */
  reverse(
    session: Session,
    guildId: string,
    input: { transactionId: string; reason?: string | undefined; isForced?: boolean | undefined },
    idempotencyKey?: string,
  ): Promise<ReversalOutcome>;
  /** Sets how far down withdrawals may take a player's account. */
  setFloor(session: Session, account: Parameters<SetFloor>[0]): Promise<void>;
}

export interface GuildLedgerParts {
  views: LedgerViewStore;
  ledger: Ledger;
  reverse: Reverse;
  setFloor: SetFloor;
  entries: Pick<EntryStore, 'find' | 'findPayments'>;
  discharges: Pick<RecordStore<Discharge>, 'count'>;
  transfers: Pick<RecordStore<Transfer>, 'count'>;
  guilds: Guilds;
  clock: Clock;
}

export function createGuildLedger(parts: GuildLedgerParts): GuildLedger {
  const { views, ledger, guilds, clock } = parts;

  async function recentSources(guild: GuildRef): Promise<string[]> {
    const until = dayOf(clock.nowMs());
    const range = { since: until - FILTER_SOURCES_DAYS, until };
    const sources = await views.topSources(guild, range, FILTER_SOURCES_MAX);
    return sources.map(({ source }) => source);
  }

  return {
    async overview(guildId, asked) {
      const guild = await guilds.find(guildId);
      return lookOver(parts, guild, readRange(asked, dayOf(clock.nowMs())));
    },
    async players(guildId, text, limit) {
      const guild = await guilds.find(guildId);
      const wanted = text.trim();
      return wanted === '' ? views.largestBalances(guild, limit) : views.findPlayers(guild, wanted, limit);
    },
    async player(guildId, playerId) {
      const guild = await guilds.find(guildId);
      const [account, history, sources] = await Promise.all([
        views.findPlayer(guild, playerId),
        views.history(guild, playerId, HISTORY_POINTS_MAX),
        recentSources(guild),
      ]);
      const nothing = { playerId, username: undefined, balanceUnits: 0, transactions: 0 };
      return { ...(account ?? nothing), account, history, sources };
    },
    async list(guildId, playerId, input) {
      const query = { ...toListingQuery(input), ...toTimes(input) };
      return views.list(await guilds.find(guildId), playerId, query);
    },
    async transaction(guildId, transactionId) {
      const guild = await guilds.find(guildId);
      const found = isTransactionId(transactionId) ? await views.find(guild, transactionId) : undefined;
      if (found === undefined) {
        throw new DomainError('transaction_not_found');
      }
      return found;
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
    async correct(session, guildId, input, idempotencyKey) {
      const guild = await guilds.find(guildId);
      const extra = await extraOf(parts, guild, input.corrects);
      return ledger.correct(guild, session.user.chatId, { ...input, extra }, idempotencyKey);
    },
    async reverse(session, guildId, { transactionId, ...input }, idempotencyKey) {
      const { guildNo } = await guilds.find(guildId);
      const by = { guild: { guildNo, guildId }, keyNo: undefined, postedBy: session.user.chatId };
      const transactionIds = await sidesOf(parts, by.guild, transactionId);
      return parts.reverse(by, { ...input, transactionIds }, idempotencyKey);
    },
    setFloor: (session, account) => parts.setFloor(account, { kind: 'user', id: session.user.chatId }),
  };
}

function toTimes({ since, until }: TimesInput): { sinceMs: number | undefined; untilMs: number | undefined } {
  const sinceMs = since === undefined ? undefined : Date.parse(since);
  const untilMs = until === undefined ? undefined : Date.parse(until);
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    throw new DomainError('invalid_input', { detail: 'since must be before until' });
  }
  return { sinceMs, untilMs };
}

function toViewFilter({ search, ...input }: FilterInput): ViewFilter {
  const text = search?.trim() ?? '';
  return { ...toFilter(input), ...toTimes(input), ...(text !== '' && { search: text }) };
}

/** All pages of a list that is sorted by something but time: it has a bound, and fails before the first row beyond it. */
async function readSorted(
  views: LedgerViewStore,
  guild: Guild,
  query: Omit<GuildListingQuery, 'limit'>,
): Promise<AsyncIterable<DetailedTransaction>> {
  const first = await views.listGuild(guild, { ...query, limit: 1 });
  const rows = first.transactions.length === 0 ? [] : await Array.fromAsync(views.readGuild(guild, query));
  return (async function* () {
    yield* sortTransactions(rows, query);
  })();
}

/** In the order of `listGuild`: among equal ones by time, the way the others go. */
function sortTransactions(
  newestFirst: DetailedTransaction[],
  { sortBy = 'createdAt', sortOrder = 'desc' }: Pick<GuildListingQuery, 'sortBy' | 'sortOrder'>,
): DetailedTransaction[] {
  const valueOf = ({ amountUnits, quantity, totalUnits, createdAtMs }: DetailedTransaction) =>
    ({ amount: amountUnits, quantity, total: totalUnits, createdAt: createdAtMs })[sortBy];
  const descending = newestFirst.sort((one, other) => valueOf(other) - valueOf(one));
  return sortOrder === 'desc' ? descending : descending.reverse();
}

/** What a correction notes of the transaction that it corrects, which has to exist. */
async function extraOf(
  { entries }: GuildLedgerParts,
  guild: GuildRef,
  corrects: string | undefined,
): Promise<TransactionExtra | undefined> {
  if (corrects === undefined) {
    return undefined;
  }
  if (!isTransactionId(corrects) || (await entries.find(guild, corrects)) === undefined) {
    throw new DomainError('transaction_not_found');
  }
  return { metadata: { corrects } };
}

/** The transaction that is asked for first, and the other side of its payment when it has one. */
async function sidesOf(
  { entries }: GuildLedgerParts,
  guild: GuildRef,
  transactionId: string,
): Promise<string[]> {
  const entry = isTransactionId(transactionId) ? await entries.find(guild, transactionId) : undefined;
  const sides = entry?.paymentId === undefined ? [] : await entries.findPayments(guild, [entry.paymentId]);
  return [...new Set([transactionId, ...sides.map((side) => side.transactionId)])];
}

function readRange(asked: { since?: string; until?: string }, today: number): DayRange {
  const until = asked.until === undefined ? today : parseDay(asked.until);
  const since = asked.since === undefined ? until - RANGE_DAYS_DEFAULT + 1 : parseDay(asked.since);
  if (since > until) {
    throw new DomainError('invalid_input', { detail: 'since must not be after until' });
  }
  if (until - since >= RANGE_DAYS_MAX) {
    throw new DomainError('invalid_input', {
      detail: `since and until must not be more than ${RANGE_DAYS_MAX} days apart`,
    });
  }
  return { since, until };
}

async function lookOver(parts: GuildLedgerParts, guild: Guild, range: DayRange): Promise<Overview> {
  const { views, clock } = parts;
  const month = monthSoFar(clock.nowMs());
  // Before the days, which then hold all of it and perhaps a post more: what is left over is never less than nothing.
  const top = await views.topSources(guild, range, SOURCES_SHOWN_MAX);
  const [totals, days, largestBalances, current, previous] = await Promise.all([
    views.totals(guild),
    views.days(guild, range),
    views.largestBalances(guild, BALANCES_SHOWN_MAX),
    sumPeriod(parts, guild, month.current),
    sumPeriod(parts, guild, month.previous),
  ]);
  const sources = [...top, ...remainder(addUp(days), top)];
  return { totals, month: { current, previous }, range, days, sources, largestBalances };
}

async function sumPeriod(
  parts: GuildLedgerParts,
  guild: Guild,
  range: DayRange,
): Promise<DayRange & PeriodSums> {
  const times = { sinceMs: startOfDayMs(range.since), untilMs: startOfDayMs(range.until + 1) };
  const [days, discharges, transfers] = await Promise.all([
    parts.views.days(guild, range),
    parts.discharges.count(guild, times),
    parts.transfers.count(guild, times),
  ]);
  const accountsOpened = days.reduce((sum, day) => sum + day.accountsOpened, 0);
  return { ...range, ...addUp(days), accountsOpened, discharges, transfers };
}

function addUp(sums: readonly MoneySums[]): MoneySums {
  return sums.reduce(
    (all, one) => ({
      depositCount: all.depositCount + one.depositCount,
      depositUnits: all.depositUnits + one.depositUnits,
      withdrawalCount: all.withdrawalCount + one.withdrawalCount,
      withdrawalUnits: all.withdrawalUnits + one.withdrawalUnits,
    }),
    { depositCount: 0, depositUnits: 0n, withdrawalCount: 0, withdrawalUnits: 0n },
  );
}

/** What the days have beyond the sources shown: nothing, or one entry without a name. */
function remainder(all: MoneySums, shown: readonly SourceSums[]): (MoneySums & { source: undefined })[] {
  const seen = addUp(shown);
  const depositCount = all.depositCount - seen.depositCount;
  const withdrawalCount = all.withdrawalCount - seen.withdrawalCount;
  if (depositCount + withdrawalCount === 0) {
    return [];
  }
  return [
    {
      source: undefined,
      depositCount,
      depositUnits: all.depositUnits - seen.depositUnits,
      withdrawalCount,
      withdrawalUnits: all.withdrawalUnits - seen.withdrawalUnits,
    },
  ];
}
