import { DAY_MS, type DayRange, dayOf, parseDay, startOfDayMs } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import type { Discharge, Guild, TimeRange, Transfer } from '../model.ts';
import type { Clock, RecordStore } from '../ports.ts';
import type {
  DaySums,
  GuildTotals,
  LedgerViewStore,
  MoneySums,
  Overdrawn,
  PlayerBalance,
  SourceSums,
} from './ledger-views.ts';
import { BASELINE_DAYS, KNOWN_SOURCE_DAYS, newSources, type Unusual, unusualDays } from './unusual.ts';

export const RANGE_DAYS_MAX = 3_660;
const RANGE_DAYS_DEFAULT = 30;
const FIRST_DAY = parseDay('0000-01-01');
const SOURCES_SHOWN_MAX = 12;
const KNOWN_SOURCES_MAX = 1_000;
const BALANCES_SHOWN_MAX = 10;

/** Sums over a range of days. */
export interface PeriodSums extends MoneySums {
  accountsOpened: number;
  discharges: number;
  transfers: number;
}

export interface Overview {
  totals: GuildTotals;
  range: DayRange;
  /** The same number of days right before. While today is within the range, it ends earlier: see `periodBefore`. */
  previous: DayRange & { untilMs: number };
  sums: { current: PeriodSums; previous: PeriodSums };
  /** The sum of all balances before the range. */
  openingUnits: bigint;
  days: DaySums[];
  /** The largest sources. The entry without a name is the sum of all others. */
  sources: (MoneySums & { source: string | undefined })[];
  largestBalances: PlayerBalance[];
  overdrawn: Overdrawn;
  unusual: Unusual[];
}

export interface OverviewParts {
  views: LedgerViewStore;
  discharges: Pick<RecordStore<Discharge>, 'count'>;
  transfers: Pick<RecordStore<Transfer>, 'count'>;
  clock: Clock;
}

/** Days as `2027-01-31`, both ends included; by default the last thirty. */
export interface DaysInput {
  since?: string;
  until?: string;
}

export function readDays(asked: DaysInput, nowMs: number): DayRange {
  const until = asked.until === undefined ? dayOf(nowMs) : parseDay(asked.until);
  const since = asked.since === undefined ? until - RANGE_DAYS_DEFAULT + 1 : parseDay(asked.since);
  if (since > until) {
    throw new DomainError('invalid_input', { detail: 'since must not be after until' });
  }
  if (until - since >= RANGE_DAYS_MAX) {
    throw new DomainError('invalid_input', {
      detail: `since and until must not be more than ${RANGE_DAYS_MAX} days apart`,
    });
  }
  // Days have a year of four digits, also the first day of the previous range.
  if (periodBefore({ since, until }, nowMs).since < FIRST_DAY) {
    throw new DomainError('invalid_input', { detail: 'since is too early' });
  }
  return { since, until };
}

export async function lookOver(parts: OverviewParts, guild: Guild, asked: DaysInput): Promise<Overview> {
  const { views, clock } = parts;
  const range = readDays(asked, clock.nowMs());
  const previous = periodBefore(range, clock.nowMs());
  // Read before the days, which may then include a later post: so the remainder is never negative.
  const top = await views.topSources(guild, range, SOURCES_SHOWN_MAX);
  const before = { since: range.since - KNOWN_SOURCE_DAYS, until: range.since - 1 };
  const [totals, openingUnits, known, daysAround, largestBalances, overdrawn, sumsBefore] = await Promise.all(
    [
      views.totals(guild),
      views.balanceBefore(guild, range.since),
      views.topSources(guild, before, KNOWN_SOURCES_MAX),
      views.days(guild, { since: range.since - BASELINE_DAYS, until: range.until }),
      views.largestBalances(guild, BALANCES_SHOWN_MAX),
      views.overdrawn(guild, BALANCES_SHOWN_MAX),
      sumPrevious(parts, guild, previous),
    ],
  );
  const days = daysAround.filter(({ day }) => day >= range.since);
  const current = await sumPeriod(parts, guild, { days, times: timesOf(range) });
  const knownSources = new Set(known.map(({ source }) => source));
  const unusual = [...unusualDays(daysAround, range), ...newSources(top, knownSources)];
  const sources = [...top, ...remainder(addUp(days), top)];
  const sums = { current, previous: sumsBefore };
  return { totals, range, previous, sums, openingUnits, days, sources, largestBalances, overdrawn, unusual };
}

/**
 * The same number of days right before a range. While today is within the range, it ends one length of the range
 * before now, so that both cover the same part of their last day.
 */
export function periodBefore({ since, until }: DayRange, nowMs: number): Overview['previous'] {
  const length = until - since + 1;
  const previous = { since: since - length, until: since - 1 };
  const wholeMs = startOfDayMs(since);
  const isUnderWay = dayOf(nowMs) >= since && dayOf(nowMs) <= until;
  return { ...previous, untilMs: isUnderWay ? Math.min(nowMs - length * DAY_MS, wholeMs) : wholeMs };
}

function timesOf({ since, until }: DayRange): TimeRange {
  return { sinceMs: startOfDayMs(since), untilMs: startOfDayMs(until + 1) };
}

async function sumPrevious(
  parts: OverviewParts,
  guild: Guild,
  { since, untilMs }: Overview['previous'],
): Promise<PeriodSums> {
  const lastDay = dayOf(untilMs);
  const times = { sinceMs: startOfDayMs(since), untilMs };
  const days = lastDay > since ? await parts.views.days(guild, { since, until: lastDay - 1 }) : [];
  const partMs = startOfDayMs(Math.max(lastDay, since));
  const part = untilMs > partMs ? [await parts.views.sumsBetween(guild, { sinceMs: partMs, untilMs })] : [];
  return sumPeriod(parts, guild, { days: [...days, ...part], times });
}

async function sumPeriod(
  parts: OverviewParts,
  guild: Guild,
  { days, times }: { days: readonly (MoneySums & { accountsOpened: number })[]; times: TimeRange },
): Promise<PeriodSums> {
  const [discharges, transfers] = await Promise.all([
    parts.discharges.count(guild, times),
    parts.transfers.count(guild, times),
  ]);
  const accountsOpened = days.reduce((sum, day) => sum + day.accountsOpened, 0);
  return { ...addUp(days), accountsOpened, discharges, transfers };
}

export function addUp(sums: readonly MoneySums[]): MoneySums {
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

/** The sum of the sources that are not shown: an empty list, or one entry without a name. */
export function remainder(
  all: MoneySums,
  shown: readonly SourceSums[],
): (MoneySums & { source: undefined })[] {
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
