import type { InjectOptions } from 'light-my-request';
import { BEARER } from './bot-service.ts';

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
const PLAYERS = ['p', 'P', 'é', 'e', '10', '9', 'x y', '🪙', 'p1', 'p2'];
const IDS = ['a', 'B', 'b', 'é', '10', '9', 'ß', 'ss', 'id 1'];
const NAMES = ['Rowan', 'rowan', 'Ελένης', 'ÉMILE', 'émile', 'İstanbul', 'ab"c\\', 'Zoë', "O'Hara"];
const SOURCES = ['shop', 'Shop', 'arena', 'mail', 'é', 'e'];
const DATES = ['2026-03-04', '2026-03-04T05:06:07.089Z', '1969-12-31', '2026-06-15T00:00:00.000Z', 'no date'];
const KEYS = Array.from({ length: 30 }, (_, index) => `order-${index}`);
const AMOUNTS = [
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

export type Request = InjectOptions & { key?: string };

/** What a caller can hold: a key for each guild, and the session of somebody who owns both guilds. */
export interface Access {
  keys: readonly string[];
  session: Record<string, string>;
  /** Transactions that answers have named so far. */
  transactionIds: string[];
}

/** One request of any kind the service answers, right in most ways and wrong in some. */
export function randomRequest(random: Random, access: Access): Request {
  const { pick, chance } = random;
  const kinds = [
    post,
    post,
    post,
    list,
    list,
    batch,
    payment,
    reversal,
    ledgerRead,
    ledgerRead,
    ledgerRead,
    records,
    people,
    put,
    put,
    importLines,
    dashboard,
    dashboard,
    guild,
  ];
  const request = pick(kinds)(random, access);
  return chance(2) ? { ...request, key: 'gbk_wrong' } : request;
}

/** One request of the kinds that have a limit of so many a second. */
export function randomLimitedRequest(random: Random, access: Access): Request {
  return random.pick([post, list])(random, access);
}

function withQuery(path: string, entries: Record<string, unknown>): string {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? path : `${path}?${query}`;
}

const segment = encodeURIComponent;

function post({ pick, chance, below }: Random, { keys }: Access): Request {
  const amount = pick(AMOUNTS);
  return {
    method: 'POST',
    url: '/guild/ledger',
    key: pick(keys),
    headers: chance(40) ? { 'idempotency-key': pick(KEYS) } : {},
    payload: {
      playerId: pick(PLAYERS),
      name: pick(NAMES),
      quantity: chance(95) ? 1 + below(5) : pick([0, -1, 1.5, 1e15]),
      amount,
      source: pick(SOURCES),
      ...(chance(10) && { deposit: chance(50) }),
      ...(chance(10) && { withdrawal: chance(50) }),
    },
  };
}

const REFERENCES = ['order-1', 'é', 'order 2'];
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

/** One that an answer has named, or one that there is not. */
function someId({ pick, chance }: Random, { transactionIds }: Access): string {
  return chance(5) || transactionIds.length === 0 ? UNKNOWN_ID : pick(transactionIds);
}

/** An item of a batch; a payment has most of its fields, too. */
function item(random: Random): object {
  const { pick, chance, below } = random;
  return {
    playerId: pick(PLAYERS),
    name: pick(NAMES),
    quantity: 1 + below(3),
    amount: chance(90) ? pick([1, -1, 0.5, 12.5, -7.25]) : pick(AMOUNTS),
    source: pick(SOURCES),
    ...noted(random),
    ...(chance(20) && { idempotencyKey: pick(KEYS) }),
  };
}

function noted({ pick, chance }: Random): object {
  return {
    ...(chance(30) && { reference: pick([...REFERENCES, '']) }),
    ...(chance(30) && { metadata: pick([{ b: '1', a: 'é' }, {}, { a: 1 }]) }),
  };
}

function batch(random: Random, { keys }: Access): Request {
  const { pick, chance, below } = random;
  return {
    method: 'POST',
    url: '/guild/transactions',
    key: pick(keys),
    headers: chance(30) ? { 'idempotency-key': pick(KEYS) } : {},
    payload: {
      ...(chance(50) && { atomic: chance(50) }),
      transactions: Array.from({ length: below(6) }, () => item(random)),
    },
  };
}

function payment(random: Random, { keys }: Access): Request {
  const { pick, chance } = random;
  return {
    method: 'POST',
    url: '/guild/payments',
    key: pick(keys),
    headers: chance(30) ? { 'idempotency-key': pick(KEYS) } : {},
    payload: {
      fromPlayerId: pick(PLAYERS),
      toPlayerId: pick(PLAYERS),
      amount: pick([1, 2.5, 0.0001, -1]),
      name: pick(NAMES),
      source: pick(SOURCES),
      ...noted(random),
    },
  };
}

function reversal(random: Random, access: Access): Request {
  const { pick, chance, below } = random;
  const { keys } = access;
  const reason = chance(50) ? { reason: pick(NAMES) } : {};
  const headers = chance(30) ? { 'idempotency-key': pick(KEYS) } : {};
  if (chance(60)) {
    const url = `/guild/transactions/${someId(random, access)}/reversal`;
    return { method: 'POST', url, key: pick(keys), headers, payload: reason };
  }
  const transactionIds = Array.from({ length: below(4) }, () => someId(random, access));
  return {
    method: 'POST',
    url: '/guild/reversals',
    key: pick(keys),
    headers,
    payload: { transactionIds, ...reason },
  };
}

/** Accounts, history, feed and single transactions. */
function ledgerRead(random: Random, access: Access): Request {
  const { pick, chance, below } = random;
  const { keys } = access;
  const { limit, from, minAmount, maxAmount, sortOrder } = listing(random);
  const time = () => (chance(20) ? pick(['2026-06-20T12:00:00Z', '2026-06-21T00:00:00Z', 'no']) : undefined);
  const urls = [
    withQuery(`/guild/accounts/${segment(pick(PLAYERS))}`, { at: time() }),
    withQuery('/guild/accounts', { limit, sortOrder }),
    `/guild/accounts?playerIds=${[pick(PLAYERS), pick(PLAYERS)].map(segment).join(',')}`,
    withQuery('/guild/transactions', {
      limit,
      from,
      minAmount,
      maxAmount,
      playerId: chance(40) ? pick(PLAYERS) : undefined,
      since: time(),
      until: time(),
      reference: chance(20) ? pick(REFERENCES) : undefined,
      search: chance(20) ? pick(['row', 'É', 'ab"']) : undefined,
    }),
    `/guild/transactions/${someId(random, access)}`,
    withQuery('/guild/feed', { after: chance(70) ? below(80) : undefined, limit: pick([1, 7, 1_001]) }),
  ];
  return { method: 'GET', url: pick(urls), key: pick(keys) };
}

function listing({ pick, chance, below }: Random) {
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

function list(random: Random, { keys }: Access): Request {
  const { pick } = random;
  const path = `/guild/ledger/${segment(pick(PLAYERS))}/transactions`;
  return { method: 'GET', url: withQuery(path, listing(random)), key: pick(keys) };
}

function records({ pick }: Random, { keys }: Access): Request {
  return {
    method: 'GET',
    url: `/guild/${pick(['discharges', 'transfers'])}/${segment(pick(IDS))}`,
    key: pick(keys),
  };
}

function people({ pick, chance }: Random, { keys }: Access): Request {
  if (chance(20)) {
    return {
      method: 'GET',
      url: withQuery('/commands', { category: chance(50) ? pick(['Economy', 'x']) : undefined }),
    };
  }
  const query = `${pick(['', 'chat:', 'player:', 'name:'])}${pick([...PLAYERS, ...NAMES, '1', '2'])}`;
  return { method: 'GET', url: `/users/${segment(query)}`, key: pick(keys) };
}

function discharge({ pick }: Random) {
  return {
    chatId: pick(['1', '2']),
    playerId: pick(PLAYERS),
    name: pick(NAMES),
    reason: pick(['', 'Retired']),
    date: pick(DATES),
    type: pick(['Honourable', 'honourable', 'é']),
    from: pick(['First', '']),
    signed: pick(NAMES),
  };
}

function transfer({ pick }: Random) {
  return {
    playerId: pick(PLAYERS),
    name: pick(NAMES),
    date: pick(DATES.slice(1)),
    from: 'First',
    to: pick(['Second', 'Third']),
    signed: pick(NAMES),
  };
}

function person({ pick, chance }: Random) {
  const pastUsers = [{ playerId: pick(PLAYERS), username: pick(NAMES) }];
  return { playerId: pick(PLAYERS), username: pick(NAMES), ...(chance(30) && { pastUsers }) };
}

/** What the operator's bot writes and takes away. */
function put(random: Random): Request {
  const { pick, chance, below } = random;
  const method = chance(80) ? 'PUT' : 'DELETE';
  const records = `/bot/guilds/${pick(GUILDS)}`;
  const kinds = [
    { url: `${records}/discharges/${segment(pick(IDS))}`, payload: discharge(random) },
    { url: `${records}/transfers/${segment(pick(IDS))}`, payload: transfer(random) },
    { url: `/bot/users/${below(6)}`, payload: person(random) },
  ];
  if (chance(8)) {
    const command = { description: 'd', extendedHelp: '', preconditions: ['a', 'é'] };
    const payload = Array.from({ length: below(4) }, () => ({
      category: 'Economy',
      name: pick(NAMES),
      ...command,
    }));
    return { method: 'PUT', url: '/bot/commands', headers: BEARER, payload };
  }
  const { url, payload } = pick(kinds);
  return { method, url, headers: BEARER, ...(method === 'PUT' && { payload }) };
}

function importLines(random: Random): Request {
  const { pick, below } = random;
  const kind = pick(['discharges', 'transfers', 'verifications', 'transactions']);
  const line = (): object => {
    if (kind === 'transactions') {
      const at = 1_760_000_000_000 + below(400) * 40_000_000;
      return {
        transactionId: `018f0000-0000-7000-8000-${String(below(200)).padStart(12, '0')}`,
        playerId: pick(PLAYERS),
        name: pick(NAMES),
        quantity: 1 + below(3),
        amount: pick([1, -2, 0.5]),
        source: pick(SOURCES),
        createdAt: new Date(at).toISOString(),
      };
    }
    const record = { id: pick(IDS), ...(kind === 'discharges' ? discharge(random) : transfer(random)) };
    return kind === 'verifications' ? { chatId: String(below(6)), ...person(random) } : record;
  };
  return {
    method: 'POST',
    url: withQuery(`/bot/import/${kind}`, { guild: kind === 'verifications' ? undefined : pick(GUILDS) }),
    headers: { ...BEARER, 'content-type': 'application/x-ndjson' },
    payload: Array.from({ length: 1 + below(12) }, () => JSON.stringify(line())).join('\n'),
  };
}

function guild({ pick, chance }: Random): Request {
  const settings = { overdraftAllowed: chance(60) };
  const payload = {
    name: pick(NAMES),
    plan: 'developer',
    settings,
    ...(chance(30) && { icon: pick(['i', null]) }),
  };
  return { method: 'PUT', url: `/bot/guilds/${pick([...GUILDS, 'g3'])}`, headers: BEARER, payload };
}

/** The dashboard's own routes, of which most read and one posts by hand. */
function dashboard(random: Random, { session }: Access): Request {
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
