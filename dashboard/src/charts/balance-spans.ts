import type { BalanceSpan } from '../api/players.ts';
import { parseMoney } from '../components/money.ts';

/**
 * The balance between two moments. Within a span it lies between the lowest and the highest balance. At the end of the
 * span it is `last`, and stays so until the next span begins.
 */
export interface DrawnSpan {
  fromMs: number;
  toMs: number;
  first: string;
  last: string;
  lowest: string;
  highest: string;
}

interface ChartRange {
  /** The balance before the first span. */
  opening: string;
  /** The start and end of the chart; undefined starts with the first span and ends now. */
  sinceMs: number | undefined;
  untilMs: number | undefined;
  nowMs: number;
}

const stepMs = 1_000;

/**
 * The spans of a chart, in order of time, with one at the start of the range and one at its end, or now, since the
 * balance has not changed after the last transaction. When this browser's clock is behind the service's, the chart
 * still gets a length.
 */
export function drawnSpans(history: readonly BalanceSpan[], range: ChartRange): DrawnSpan[] {
  const { opening, sinceMs, untilMs, nowMs } = range;
  const spans = history.map(readSpan).filter(({ fromMs, toMs }) => !Number.isNaN(fromMs + toMs));
  if (sinceMs !== undefined && sinceMs < (spans[0]?.fromMs ?? Number.POSITIVE_INFINITY)) {
    spans.unshift(pointAt(sinceMs, opening));
  }
  const last = spans.at(-1);
  const endMs = Math.min(untilMs ?? nowMs, nowMs);
  if (last) spans.push(pointAt(Math.max(endMs, last.toMs + stepMs), last.last));
  return spans;
}

function readSpan({ at, balance, end }: BalanceSpan): DrawnSpan {
  const fromMs = Date.parse(at);
  if (end === undefined) return pointAt(fromMs, balance);
  const { lowest, highest } = end;
  return { fromMs, toMs: Date.parse(end.at), first: balance, last: end.balance, lowest, highest };
}

function pointAt(atMs: number, balance: string): DrawnSpan {
  return { fromMs: atMs, toMs: atMs, first: balance, last: balance, lowest: balance, highest: balance };
}

/** True when the balance changed within the span. */
export function isBand({ lowest, highest }: DrawnSpan): boolean {
  return lowest !== highest;
}

/**
 * The corners of the balance's line: level between two spans, straight from the first to the last balance of a span,
 * which stays between the bounds of its band.
 */
export function lineCorners(spans: readonly DrawnSpan[]): { atMs: number; balance: string }[] {
  return spans.flatMap(({ fromMs, toMs, first, last }, index) => {
    const before = spans[index - 1];
    return [
      ...(before ? [{ atMs: fromMs, balance: before.last }] : []),
      { atMs: fromMs, balance: first },
      ...(toMs > fromMs || last !== first ? [{ atMs: toMs, balance: last }] : []),
    ];
  });
}

/** At most `countMax` spans with the same bounds, by joining neighbours. */
export function joinSpans(spans: readonly DrawnSpan[], countMax: number): DrawnSpan[] {
  const size = Math.max(1, Math.ceil(spans.length / countMax));
  return Array.from({ length: Math.ceil(spans.length / size) }, (_, index) =>
    spans.slice(index * size, (index + 1) * size).reduce(joinTwo),
  );
}

function joinTwo(one: DrawnSpan, other: DrawnSpan): DrawnSpan {
  return {
    fromMs: one.fromMs,
    toMs: other.toMs,
    first: one.first,
    last: other.last,
    lowest: isLess(other.lowest, one.lowest) ? other.lowest : one.lowest,
    highest: isLess(one.highest, other.highest) ? other.highest : one.highest,
  };
}

function isLess(one: string, other: string): boolean {
  return (parseMoney(one) ?? 0n) < (parseMoney(other) ?? 0n);
}
