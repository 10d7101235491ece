import { KEY_ROUTES, ROUTE_LIMIT_MAX } from '../../key-terms.ts';
import { DomainError } from '../errors.ts';

export type KeyRoute = (typeof KEY_ROUTES)[number];

const WINDOWS_MS = { second: 1_000, minute: 60_000 } as const;
export type LimitWindow = keyof typeof WINDOWS_MS;

/** The number of requests of a route that a key may send, in addition to the limit that the route has for every key. */
export interface RouteLimit {
  route: KeyRoute;
  limit: number;
  per: LimitWindow;
}

/** The limiter's bucket and subject for one key and route. */
export interface RouteBucket {
  name: string;
  limit: number;
  windowMs: number;
  subject: string;
}

const RULE = `a limit is 1 to ${ROUTE_LIMIT_MAX} requests per second or minute`;

/** Checks limits and sorts them in the order of `KEY_ROUTES`, so that equal limits are equal lists. */
export function readRouteLimits(limits: readonly RouteLimit[]): RouteLimit[] {
  for (const { limit, per } of limits) {
    if (!Number.isInteger(limit) || limit < 1 || limit > ROUTE_LIMIT_MAX || !Object.hasOwn(WINDOWS_MS, per)) {
      throw new DomainError('invalid_input', { detail: RULE });
    }
  }
  if (new Set(limits.map(({ route }) => route)).size < limits.length) {
    throw new DomainError('invalid_input', { detail: 'routeLimits must name a route once' });
  }
  return limits.toSorted((one, other) => KEY_ROUTES.indexOf(one.route) - KEY_ROUTES.indexOf(other.route));
}

/** Limits as text, such as `getVerification=60/minute getTransfer=5/second`. */
export function routeLimitsText(limits: readonly RouteLimit[]): string {
  return limits.map(({ route, limit, per }) => `${route}=${limit}/${per}`).join(' ');
}

/** Parses such a text, with commas or spaces between the limits. */
export function parseRouteLimits(text: string): RouteLimit[] {
  return text.split(/[\s,]+/).flatMap((part) => {
    if (part === '') {
      return [];
    }
    const [, name, limit, per] = /^(\w+)=(\d{1,9})\/(second|minute)$/.exec(part) ?? [];
    const route = KEY_ROUTES.find((one) => one === name);
    if (route === undefined) {
      throw new DomainError('invalid_input', {
        detail:
          'a limit of a route is written like getVerification=60/minute, with a name of the OpenAPI document',
      });
    }
    return [{ route, limit: Number(limit), per: per === 'second' ? 'second' : 'minute' }];
  });
}

/** The buckets of a key's own route limits, by route; undefined when it has none. */
export function routeBucketsOf(
  keyId: string,
  limits: readonly RouteLimit[],
): ReadonlyMap<string, RouteBucket> | undefined {
  if (limits.length === 0) {
    return undefined;
  }
  return new Map(limits.map((one) => [one.route, bucketOf(keyId, one)]));
}

/**
 * The in-memory limiter sizes a bucket by its limit, so limits of a similar size share a bucket. The limit is part of
 * the subject: a key whose limit was changed starts to count from zero.
 */
function bucketOf(keyId: string, { route, limit, per }: RouteLimit): RouteBucket {
  const size = 2 ** Math.ceil(Math.log2(limit));
  return {
    name: `key-route-${per}-${size}`,
    limit,
    windowMs: WINDOWS_MS[per],
    subject: `${keyId}:${route}:${limit}`,
  };
}

/** True when a key could send more requests of any route than before. */
export function raisesRouteLimits(before: readonly RouteLimit[], after: readonly RouteLimit[]): boolean {
  return before.some((one) => {
    const next = after.find(({ route }) => route === one.route);
    return next === undefined || highestRate(next, one.per) > one.limit;
  });
}

/**
 * The most requests that a limit admits in a window of the given length. All requests of a minute may come in one
 * second.
 */
function highestRate({ limit, per }: RouteLimit, window: LimitWindow): number {
  return per === 'second' && window === 'minute' ? limit * 60 : limit;
}
