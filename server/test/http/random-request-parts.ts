import type { InjectOptions } from 'light-my-request';

export type Request = InjectOptions & { key?: string };

/** A caller's credentials: a key for each guild, and the session of somebody who owns both guilds. */
export interface Access {
  keys: readonly string[];
  session: Record<string, string>;
  /** Transactions that answers have named so far. */
  transactionIds: string[];
}

/** Numbers from a seed: the same ones on every run, so that a difference can be looked at again. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** A number from 0 up to, but not including, the limit. */
  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
  return {
    below,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    chance: (percent: number): boolean => below(100) < percent,
  };
}
export type Random = ReturnType<typeof createRandom>;

export const GUILDS = ['g1', 'g2'] as const;
export const PLAYERS = ['p', 'P', 'é', 'e', '10', '9', 'x y', '🪙', 'p1', 'p2'];
export const IDS = ['a', 'B', 'b', 'é', '10', '9', 'ß', 'ss', 'id 1'];
export const NAMES = ['Rowan', 'rowan', 'Ελένης', 'ÉMILE', 'émile', 'İstanbul', 'ab"c\\', 'Zoë', "O'Hara"];
export const SOURCES = ['shop', 'Shop', 'arena', 'mail', 'é', 'e'];
export const DATES = [
  '2026-03-04',
  '2026-03-04T05:06:07.089Z',
  '1969-12-31',
  '2026-06-15T00:00:00.000Z',
  'no date',
];
export const KEYS = Array.from({ length: 30 }, (_, index) => `order-${index}`);
export const AMOUNTS = [
  1,
  -1,
  0.0001,
  -0.0001,
  12.5,
  -7.25,
  1e9,
  -900_000_000_000,
  900_719_925_474,
  0,
  1.00001,
  '5',
  null,
];

export const segment = encodeURIComponent;

export function withQuery(path: string, entries: Record<string, unknown>): string {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? path : `${path}?${query}`;
}

/** The filters and orders of a list, some of them left out. */
export function listing({ pick, chance, below }: Random) {
  return {
    page: chance(50) ? 1 + below(4) : undefined,
    limit: chance(70) ? pick([1, 2, 7, 100, 101]) : undefined,
    from: chance(30) ? pick(SOURCES) : undefined,
    minAmount: chance(20) ? pick([0, 0.0001, 1, 12.5]) : undefined,
    maxAmount: chance(20) ? pick([0, 1, 12.5, 1e9]) : undefined,
    sortBy: chance(70) ? pick(['amount', 'quantity', 'total', 'createdAt', 'name']) : undefined,
    sortOrder: chance(50) ? pick(['asc', 'desc']) : undefined,
  };
}
