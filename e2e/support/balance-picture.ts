import type { Page } from 'playwright-core';
import { askRoute } from './guild-pages.ts';

interface BalanceSpan {
  at: string;
  balance: string;
  end?: { at: string; balance: string; lowest: string; highest: string };
}

/** The number of transactions after which the balance is not the drawn one, or is outside of the drawn band. */
export async function countWrongMoments(
  page: Page,
  playerId: string,
  rows: readonly Record<string, string>[],
): Promise<number> {
  const { body } = await askRoute(page, `players/${playerId}/activity`);
  const { history } = (body as { data: { history: BalanceSpan[] } }).data;
  const timeOf = (text = '') => Date.parse(text);
  let units = 0;
  return rows.filter(({ total, createdAt }, index) => {
    units += Math.round(Number(total) * 10_000);
    const atMs = timeOf(createdAt);
    // Of several transactions of one moment, the last one decides.
    if (timeOf(rows[index + 1]?.createdAt) === atMs) return false;
    const span = history.findLast(({ at }) => timeOf(at) <= atMs);
    const isInBand = span?.end !== undefined && atMs < timeOf(span.end.at);
    const last = span?.end?.balance ?? span?.balance;
    const [lowest, highest] = isInBand ? [span.end?.lowest, span.end?.highest] : [last, last];
    return Math.round(Number(lowest) * 10_000) > units || Math.round(Number(highest) * 10_000) < units;
  }).length;
}
