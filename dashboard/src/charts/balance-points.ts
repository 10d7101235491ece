import type { BalancePoint } from '../api/players.ts';

export interface DrawnPoint {
  atMs: number;
  balance: string;
}

const stepMs = 1_000;

/**
 * The points of a balance's line, in order of time, and on to the present: the balance has not changed since.
 * Where this browser's clock is behind the service's, the line still gets a length.
 */
export function drawnPoints(history: readonly BalancePoint[], nowMs: number): DrawnPoint[] {
  const points = history
    .map(({ at, balance }) => ({ atMs: Date.parse(at), balance }))
    .filter(({ atMs }) => !Number.isNaN(atMs));
  const last = points.at(-1);
  if (last) points.push({ atMs: Math.max(nowMs, last.atMs + stepMs), balance: last.balance });
  return points;
}
