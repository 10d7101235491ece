import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import { type Player, readPlayer } from './players.ts';
import { readCount, readOptionalText, readRecord, readRecords, readText } from './read.ts';
import { request } from './request.ts';

/** What came in and went out. Sums are decimal texts; what went out has no sign. */
export interface Turnover {
  deposits: string;
  withdrawals: string;
  depositCount: number;
  withdrawalCount: number;
}

export interface DayTurnover extends Turnover {
  day: string;
}

export interface SourceTurnover extends Turnover {
  /** Null: all others together. */
  source: string | null;
}

/** A figure of this month so far, and of the same days of the month before. */
export interface Monthly<Value> {
  current: Value;
  previous: Value;
}

export interface MonthFigures {
  since: string;
  until: string;
  previousSince: string;
  previousUntil: string;
  accountsOpened: Monthly<number>;
  deposits: Monthly<string>;
  withdrawals: Monthly<string>;
  transactions: Monthly<number>;
  discharges: Monthly<number>;
  transfers: Monthly<number>;
}

export interface Overview {
  accounts: number;
  transactions: number;
  balance: string;
  month: MonthFigures;
  range: { since: string; until: string };
  /** Only days on which something happened, in order. */
  days: DayTurnover[];
  sources: SourceTurnover[];
  largestBalances: Player[];
}

export function overviewQuery(guildId: string, range: { since: string; until: string }) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'overview', range],
    queryFn: async () => {
      const { data } = await request(guildPath(guildId, ['overview'], range));
      return readOverview(readRecord(data));
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

function readOverview(record: Record<string, unknown>): Overview {
  const range = readRecord(record.range);
  return {
    accounts: readCount(record.accounts),
    transactions: readCount(record.transactions),
    balance: readText(record.balance) || '0',
    month: readMonth(readRecord(record.month)),
    range: { since: readText(range.since), until: readText(range.until) },
    days: readRecords(record.days).map((day) => ({ day: readText(day.day), ...readTurnover(day) })),
    sources: readRecords(record.sources).map((entry) => ({
      source: readOptionalText(entry.source),
      ...readTurnover(entry),
    })),
    largestBalances: readRecords(record.largestBalances).map(readPlayer),
  };
}

function readTurnover(record: Record<string, unknown>): Turnover {
  return {
    deposits: readText(record.deposits) || '0',
    withdrawals: readText(record.withdrawals) || '0',
    depositCount: readCount(record.depositCount),
    withdrawalCount: readCount(record.withdrawalCount),
  };
}

function readMonth(record: Record<string, unknown>): MonthFigures {
  return {
    since: readText(record.since),
    until: readText(record.until),
    previousSince: readText(record.previousSince),
    previousUntil: readText(record.previousUntil),
    accountsOpened: readCounts(record.accountsOpened),
    deposits: readSums(record.deposits),
    withdrawals: readSums(record.withdrawals),
    transactions: readCounts(record.transactions),
    discharges: readCounts(record.discharges),
    transfers: readCounts(record.transfers),
  };
}

function readCounts(value: unknown): Monthly<number> {
  const { current, previous } = readRecord(value);
  return { current: readCount(current), previous: readCount(previous) };
}

function readSums(value: unknown): Monthly<string> {
  const { current, previous } = readRecord(value);
  return { current: readText(current) || '0', previous: readText(previous) || '0' };
}
