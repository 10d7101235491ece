import { type DayRange, parseDay, timesOfDays } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import { type Calendar, createCalendar, UTC_CALENDAR } from '../guild-calendar.ts';
import type { Discharge, Guild, TimeRange, Transfer } from '../model.ts';
import type { Clock, RecordStore } from '../ports.ts';
import {
  CUT_DAYS_READ_MAX,
  type DaySums,
  type GuildTotals,
  type LedgerViewStore,
  type MoneySums,
  type Overdrawn,
  type PlayerBalance,
  type SourceSums,
  type SpanSums,
} from './ledger-views.ts';
import { BASELINE_DAYS, KNOWN_SOURCE_DAYS, newSources, type Unusual, unusualDays } from './unusual.ts';

export const RANGE_DAYS_MAX = 3_660;
const RANGE_DAYS_DEFAULT = 30;
const FIRST_DAY = parseDay('0000-01-01');
const SOURCES_SHOWN_MAX = 12;
const KNOWN_SOURCES_MAX = 1_000;
const BALANCES_SHOWN_MAX = 10;

/** Sums over a range of days. */
export interface PeriodSums extends SpanSums {
  discharges: number;
  transfers: number;
}

/** Days of a calendar, with the first moment and the end, which is excluded. */
export interface OverviewRange extends DayRange, TimeRange {
  calendar: Calendar;
}

export interface Overview {
  totals: GuildTotals;
  range: OverviewRange;
  /** Just as long, right before. While now is within the range, it ends earlier: see `periodBefore`. */
  previous: TimeRange;
  sums: { current: PeriodSums; previous: PeriodSums };
  /** All accounts and transactions before the range, and at its end. */
  opening: GuildTotals;
  closing: GuildTotals;
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

/**
 * The days of a query in the guild's calendar. Their sums have to be computed from the transactions where a day of the calendar is no
 * day in UTC. When that is too much, or the transactions are archived, the days are those of UTC.
 */
export async function readRange(
  { views, clock }: Pick<OverviewParts, 'views' | 'clock'>,
  guild: Guild,
  asked: DaysInput,
): Promise<OverviewRange> {
  const wanted = createCalendar(guild.timeZone);
  const days = readDays(asked, clock.nowMs(), wanted);
  const range = rangeIn(wanted, days);
  if (wanted === UTC_CALENDAR) {
    return range;
  }
  const { sinceMs, untilMs } = periodBefore(range, clock.nowMs());
  const known = wanted.startOfDayMs(days.since - KNOWN_SOURCE_DAYS);
  const count = await views.countCutDays(guild, [...dayStarts(range), sinceMs, untilMs, known]);
  return count !== undefined && count <= CUT_DAYS_READ_MAX ? range : rangeIn(UTC_CALENDAR, days);
}

function readDays(asked: DaysInput, nowMs: number, calendar: Calendar): DayRange {
  const until = asked.until === undefined ? calendar.dayOf(nowMs) : parseDay(asked.until);
  const since = asked.since === undefined ? until - RANGE_DAYS_DEFAULT + 1 : parseDay(asked.since);
  if (since > until) {
    throw new DomainError('invalid_input', { detail: 'since must not be after until' });
  }
  const length = until - since + 1;
  if (length > RANGE_DAYS_MAX) {
    throw new DomainError('invalid_input', {
      detail: `since and until must not be more than ${RANGE_DAYS_MAX} days apart`,
    });
  }
  // Days have a year of four digits, also the first day of the previous range.
  if (since - length < FIRST_DAY) {
    throw new DomainError('invalid_input', { detail: 'since is too early' });
  }
  return { since, until };
}

function rangeIn(calendar: Calendar, { since, until }: DayRange): OverviewRange {
  const times = { sinceMs: calendar.startOfDayMs(since), untilMs: calendar.startOfDayMs(until + 1) };
  return { since, until, ...times, calendar };
}

/** The first moments of the days of the baseline and of the range, and the end of the last day. */
function dayStarts({ since, until, calendar }: OverviewRange): number[] {
  const first = since - BASELINE_DAYS;
  return Array.from({ length: until - first + 2 }, (_, index) => calendar.startOfDayMs(first + index));
}

export async function lookOver(parts: OverviewParts, guild: Guild, asked: DaysInput): Promise<Overview> {
  const { views, clock } = parts;
  const range = await readRange(parts, guild, asked);
  const { sinceMs, untilMs, calendar } = range;
  const previous = periodBefore(range, clock.nowMs());
  // Read before the days, which may then include a later post: so the remainder is never negative.
  const top = await views.sourcesBetween(guild, { sinceMs, untilMs }, SOURCES_SHOWN_MAX);
  const before = { sinceMs: calendar.startOfDayMs(range.since - KNOWN_SOURCE_DAYS), untilMs: sinceMs };
  const [totals, opening, known, spans, largestBalances, overdrawn, [sumsBefore], records] =
    await Promise.all([
      views.totals(guild),
      views.totalsBefore(guild, sinceMs),
      views.sourcesBetween(guild, before, KNOWN_SOURCES_MAX),
      views.spanSums(guild, dayStarts(range)),
      views.largestBalances(guild, BALANCES_SHOWN_MAX),
      views.overdrawn(guild, BALANCES_SHOWN_MAX),
      views.spanSums(guild, [previous.sinceMs, previous.untilMs]),
      countRecords(parts, guild, range),
    ]);
  const daysAround = spans
    .map((sums, index) => ({ day: range.since - BASELINE_DAYS + index, ...sums }))
    .filter(({ depositCount, withdrawalCount }) => depositCount + withdrawalCount > 0);
  const days = daysAround.filter(({ day }) => day >= range.since);
  const current = addSpans(days);
  const knownSources = new Set(known.map(({ source }) => source));
  return {
    totals,
    range,
    previous,
    sums: {
      current: { ...current, ...records.current },
      previous: { ...addSpans(sumsBefore === undefined ? [] : [sumsBefore]), ...records.previous },
    },
    opening,
    closing: addTo(opening, current),
    days,
    sources: [...top, ...remainder(current, top)],
    largestBalances,
    overdrawn,
    unusual: [...unusualDays(daysAround, range), ...newSources(top, knownSources)],
  };
}

/**
 * The time right before a range, of the same length. While now is within the range, both end earlier: the range now, and the time
 * before it just as long after its start.
 */
export function periodBefore({ sinceMs, untilMs }: TimeRange, nowMs: number): TimeRange {
  const lengthMs = untilMs - sinceMs;
  const isUnderWay = nowMs >= sinceMs && nowMs < untilMs;
  return { sinceMs: sinceMs - lengthMs, untilMs: isUnderWay ? nowMs - lengthMs : sinceMs };
}

/** Records have dates, and many no time: their days are those of UTC in every calendar. */
async function countRecords({ discharges, transfers, clock }: OverviewParts, guild: Guild, days: DayRange) {
  const current = timesOfDays(days);
  const countIn = async (times: TimeRange) => {
    const [ofDischarges, ofTransfers] = await Promise.all([
      discharges.count(guild, times),
      transfers.count(guild, times),
    ]);
    return { discharges: ofDischarges, transfers: ofTransfers };
  };
  const [now, before] = await Promise.all([countIn(current), countIn(periodBefore(current, clock.nowMs()))]);
  return { current: now, previous: before };
}

function addSpans(spans: readonly SpanSums[]): SpanSums {
  return { ...addUp(spans), accountsOpened: spans.reduce((sum, span) => sum + span.accountsOpened, 0) };
}

function addTo({ accounts, transactions, balanceUnits }: GuildTotals, sums: SpanSums): GuildTotals {
  return {
    accounts: accounts + sums.accountsOpened,
    transactions: transactions + sums.depositCount + sums.withdrawalCount,
    balanceUnits: balanceUnits + sums.depositUnits - sums.withdrawalUnits,
  };
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
