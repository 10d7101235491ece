import { expect } from 'vitest';
import { DAY_MS, dayOf } from '../../src/domain/calendar.ts';
import type { LedgerViewStore, MoneySums } from '../../src/domain/ledger/ledger-views.ts';
import type { Guild, PastTransaction } from '../../src/domain/model.ts';

type Row = PastTransaction;

export function sumsOf(rows: readonly Row[]): MoneySums {
  const units = (some: readonly Row[]) => some.reduce((sum, row) => sum + BigInt(row.totalUnits), 0n);
  const [deposits, withdrawals] = [1, -1].map((sign) => rows.filter((row) => row.totalUnits * sign > 0));
  return {
    depositCount: deposits?.length ?? 0,
    depositUnits: units(deposits ?? []),
    withdrawalCount: withdrawals?.length ?? 0,
    withdrawalUnits: -units(withdrawals ?? []),
  };
}

/** Compares sums between times that divide days anywhere, and sums of their sources, with those of the rows. */
export async function expectParts(
  views: LedgerViewStore,
  guild: Guild,
  { rows, sinceMs, untilMs }: { rows: readonly Row[]; sinceMs: number; untilMs: number },
): Promise<void> {
  const between = (fromMs = 0, toMs = 0) =>
    rows.filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < toMs);
  const middleMs = Math.floor((sinceMs + untilMs) / 2);
  const timesMs = [sinceMs - 3 * DAY_MS, sinceMs, middleMs, untilMs, untilMs + 1.6 * DAY_MS];
  const spans = await views.spanSums(guild, timesMs);
  expect(spans.map(({ accountsOpened: _opened, ...sums }) => sums)).toEqual(
    timesMs.slice(1).map((timeMs, index) => sumsOf(between(timesMs[index], timeMs))),
  );
  const past = rows.filter(({ createdAtMs }) => createdAtMs < sinceMs);
  const { depositUnits, withdrawalUnits } = sumsOf(past);
  expect(await views.totalsBefore(guild, sinceMs)).toEqual({
    accounts: new Set(past.map(({ playerId }) => playerId)).size,
    transactions: past.length,
    balanceUnits: depositUnits - withdrawalUnits,
  });
  const bySource = Map.groupBy(between(sinceMs, untilMs), ({ source }) => source);
  const turnover = (sums: MoneySums) => sums.depositUnits + sums.withdrawalUnits;
  const sources = Array.from(bySource, ([source, some]) => ({ source, ...sumsOf(some) })).sort(
    (one, other) =>
      turnover(one) === turnover(other)
        ? one.source < other.source
          ? -1
          : 1
        : turnover(one) > turnover(other)
          ? -1
          : 1,
  );
  expect(await views.sourcesBetween(guild, { sinceMs, untilMs }, 2)).toEqual(sources.slice(0, 2));
  const cut = new Set(timesMs.filter((timeMs) => timeMs % DAY_MS !== 0).map(dayOf));
  expect(await views.countCutDays(guild, timesMs)).toBe(
    rows.filter(({ createdAtMs }) => cut.has(dayOf(createdAtMs))).length,
  );
}
