import type { BalancePoint } from '../api/players.ts';

export interface DrawnPoint {
  atMs: number;
  balance: string;
}

/** The points of a balance's line, in order of time, and on to the present: the balance has not changed since. */
export function drawnPoints(history: readonly BalancePoint[], nowMs: number): DrawnPoint[] {
  const points = history
    .map(({ at, balance }) => ({ atMs: Date.parse(at), balance }))
    .filter(({ atMs }) => !Number.isNaN(atMs));
  const last = points.at(-1);
  if (last && last.atMs < nowMs) points.push({ atMs: nowMs, balance: last.balance });
  return points;
}
