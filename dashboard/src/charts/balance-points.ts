import type { BalancePoint } from '../api/players.ts';

export interface DrawnPoint {
  atMs: number;
  balance: string;
}

interface DrawnSpan {
  /** The balance before the first point. */
  opening: string;
  /** The start and end of the chart; undefined starts with the first point and ends now. */
  sinceMs: number | undefined;
  untilMs: number | undefined;
  nowMs: number;
}

const stepMs = 1_000;

/**
 * The points of a balance's line, in order of time, from the start of the range to its end or to now, since the
 * balance has not changed after the last transaction. When this browser's clock is behind the service's, the line
 * still gets a length.
 */
export function drawnPoints(history: readonly BalancePoint[], span: DrawnSpan): DrawnPoint[] {
  const { opening, sinceMs, untilMs, nowMs } = span;
  const points = history
    .map(({ at, balance }) => ({ atMs: Date.parse(at), balance }))
    .filter(({ atMs }) => !Number.isNaN(atMs));
  if (sinceMs !== undefined && sinceMs < (points[0]?.atMs ?? Number.POSITIVE_INFINITY)) {
    points.unshift({ atMs: sinceMs, balance: opening });
  }
  const last = points.at(-1);
  const endMs = Math.min(untilMs ?? nowMs, nowMs);
  if (last) points.push({ atMs: Math.max(endMs, last.atMs + stepMs), balance: last.balance });
  return points;
}
