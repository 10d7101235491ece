import { t } from '@lingui/core/macro';
import { routeTexts } from '../access/route-limit-texts.ts';
import type { KeyHour } from '../api/requests.ts';

const answeredCode = 'ok';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface Bar {
  /** The beginning of the hour or day. */
  startMs: number;
  answered: number;
  refused: number;
}

/** One bar for each hour of one day, or for each day (in UTC) of several, up to now. */
export function barsOf(hours: readonly KeyHour[], { days, nowMs }: { days: number; nowMs: number }): Bar[] {
  const stepMs = days === 1 ? hourMs : dayMs;
  const firstMs = (Math.floor(nowMs / dayMs) - days + 1) * dayMs;
  const count = Math.floor((nowMs - firstMs) / stepMs) + 1;
  const bars = Array.from({ length: count }, (_, index) => ({
    startMs: firstMs + index * stepMs,
    answered: 0,
    refused: 0,
  }));
  for (const { hour, code, count: requests } of hours) {
    const bar = bars[Math.floor((Date.parse(hour) - firstMs) / stepMs)];
    if (bar !== undefined) bar[code === answeredCode ? 'answered' : 'refused'] += requests;
  }
  return bars;
}

export interface RouteCounts {
  route: string;
  answered: number;
  refused: number;
}

/** The counts of each route, those with most refusals first. */
export function routesOf(hours: readonly KeyHour[]): RouteCounts[] {
  const routes = new Map<string, RouteCounts>();
  for (const { route, code, count } of hours) {
    const known = routes.get(route) ?? { route, answered: 0, refused: 0 };
    known[code === answeredCode ? 'answered' : 'refused'] += count;
    routes.set(route, known);
  }
  return [...routes.values()].sort(
    (one, other) =>
      other.refused - one.refused || other.answered - one.answered || one.route.localeCompare(other.route),
  );
}

/** The codes of refusals that occur, most frequent first. */
export function codesOf(hours: readonly KeyHour[]): string[] {
  const counts = new Map<string, number>();
  for (const { code, count } of hours) {
    if (code !== answeredCode) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([code]) => code);
}

/** The address of a route, as written in the documentation. */
export function routeLabel(route: string): string {
  if (route === '') return t`Before routes were counted`;
  const texts: Readonly<Record<string, string>> = routeTexts;
  return texts[route] ?? route;
}
