import {
  type Access,
  GUILDS,
  listing,
  NAMES,
  PLAYERS,
  type Random,
  type Request,
  segment,
  withQuery,
} from './random-request-parts.ts';

/** The dashboard's own routes. Most of them read; one posts a correction. */
export function dashboard(random: Random, { session }: Access): Request {
  const { pick, chance, below } = random;
  const base = `/dashboard/api/guilds/${pick(GUILDS)}`;
  const { from, minAmount, maxAmount, page, limit, sortBy, sortOrder } = listing(random);
  const player = `${base}/players/${segment(pick(PLAYERS))}`;
  const search = chance(50) ? pick(['r', 'É', 'e', 'ς', '1']) : undefined;
  const since = chance(30) ? pick(['1969-01-01', '2025-10-01', '2026-06-01']) : undefined;
  const recordSort = { sortBy: pick(['date', 'name']), sortOrder };
  const urls = [
    withQuery(`${base}/overview`, { since, until: chance(50) ? '2026-06-16' : undefined }),
    withQuery(`${base}/players`, { query: search ?? '', limit: 1 + below(9) }),
    player,
    withQuery(`${player}/transactions`, { page, limit, from, minAmount, maxAmount, sortBy, sortOrder }),
    withQuery(`${player}/transactions.csv`, { from, minAmount, maxAmount, sortBy, sortOrder }),
    withQuery(`${base}/transactions`, { limit, from, minAmount, maxAmount }),
    withQuery(`${base}/transactions.csv`, { from, minAmount, maxAmount }),
    withQuery(`${base}/discharges`, { page, limit, query: search, since, ...recordSort }),
    withQuery(`${base}/discharges.csv`, { query: search, since, ...recordSort }),
    withQuery(`${base}/transfers`, { page, limit, query: search, since, ...recordSort }),
    withQuery(`${base}/audit`, {
      limit,
      since,
      actor: chance(30) ? pick(['bot:bot', 'user:owner']) : undefined,
      kind: chance(30) ? pick(['discharge', 'guild', 'key', 'transaction']) : undefined,
    }),
    withQuery(`${base}/verifications`, { query: pick(NAMES) }),
    `${base}/keys`,
  ];
  if (chance(10)) {
    const payload = {
      name: 'Correction',
      quantity: 1,
      amount: pick([1, -1]),
      reason: 'Counted again',
      source: 'x',
    };
    return { method: 'POST', url: `${player}/transactions`, headers: session, payload };
  }
  return { method: 'GET', url: pick(urls), headers: session };
}
