import {
  type Access,
  AMOUNTS,
  KEYS,
  listing,
  NAMES,
  PLAYERS,
  type Random,
  type Request,
  SOURCES,
  segment,
  withQuery,
} from './random-request-parts.ts';

export function post({ pick, chance, below }: Random, { keys }: Access): Request {
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

export function batch(random: Random, { keys }: Access): Request {
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

export function payment(random: Random, { keys }: Access): Request {
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

export function reversal(random: Random, access: Access): Request {
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
export function ledgerRead(random: Random, access: Access): Request {
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

export function list(random: Random, { keys }: Access): Request {
  const { pick } = random;
  const path = `/guild/ledger/${segment(pick(PLAYERS))}/transactions`;
  return { method: 'GET', url: withQuery(path, listing(random)), key: pick(keys) };
}
