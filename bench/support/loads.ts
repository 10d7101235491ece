import { writeCursor } from '../../server/src/domain/ledger/cursor.ts';
import { hashHistoryFilter, toHistoryFilter } from '../../server/src/domain/ledger/history.ts';
import { ACCOUNTS, KEYS, SMALL, transactionIdOf } from './ledger-file.ts';
import type { Load } from './wrk.ts';

// The requests of the jobs. One key may list and post ten times a second, so every load uses all keys in turn.

/** Records that are asked for: fewer than the service keeps in memory, so that a round in turn finds them there. */
export const RECORDS_ASKED = 6_000;
export const DISTINCT_PLAYERS = 24_000;
const MIX_PERIOD = 10;
const PAGES = 2_000;
const MANY_PLAYERS = 80_000;
/** In a smaller ledger some of those players have no transactions, and an empty list is a cheap one. */
export const LIST_MANY_ROWS_MIN = (MANY_PLAYERS + 10) * 100;
export const BATCH_ITEMS = 100;
/** Accounts of a hundred transactions each that every ledger has. */
const [FIRST_ACCOUNT, ACCOUNTS_OF_HUNDRED, ROWS_EACH] = [10, 80, 100];
const PAGES_OF_HUNDRED = 5;
const SORTS = ['amount', 'quantity', 'total'];
/** Players of the small ledger beside the one that has a name of its own. */
const SMALL_PLAYERS = SMALL.rows / ROWS_EACH - 1;
const UNFILTERED = hashHistoryFilter(toHistoryFilter({}));

/** With fewer keys than there are for a load of a low rate: each that is used takes a place in memory. */
export function createLoads(allKeys: readonly string[], keyCount = KEYS) {
  const keys = allKeys.slice(0, keyCount);
  const keysOfOthers = allKeys.slice(KEYS);
  const keyOf = (index: number) => keys[index % keys.length];
  const get = (path: (index: number) => string): Load => ({
    count: keys.length,
    request: (index) => ({ path: path(index), key: keyOf(index) }),
  });
  const list = (playerId: string, query = '') =>
    get(() => `/guild/ledger/${playerId}/transactions${query === '' ? '' : `?${query}`}`);
  const post = (playerId: (index: number) => string, count = keys.length): Load => ({
    count,
    request: (index) => ({
      path: '/guild/ledger',
      key: keyOf(index),
      body: transaction(playerId(index), index),
    }),
  });
  const others = (index: number) => `player-${10 + ((index * 7919) % 50)}`;

  return {
    discharge: get((index) => `/guild/discharges/D-${index % RECORDS_ASKED}`),
    verification: get((index) => `/users/Member_${index % RECORDS_ASKED}`),
    commands: { count: 1, request: () => ({ path: '/commands' }) } satisfies Load,
    listHundred: list(ACCOUNTS.hundred),
    /** Players of the small ledger with a hundred transactions each, in turn. */
    listInTurn: get((index) => `/guild/ledger/${smallPlayerOf(index)}/transactions`),
    listTenThousand: list(ACCOUNTS.tenThousand),
    listMillion: list(ACCOUNTS.million),
    listDeepest: list(ACCOUNTS.million, 'page=50000'),
    // More pages, and more players, than the service keeps in memory.
    listFirstPages: get(
      (index) => `/guild/ledger/${ACCOUNTS.million}/transactions?page=${1 + (index % PAGES)}`,
    ),
    listLastPages: get(
      (index) => `/guild/ledger/${ACCOUNTS.million}/transactions?page=${50_000 - (index % PAGES)}`,
    ),
    listMany: {
      ...get((index) => `/guild/ledger/player-${10 + ((index * 7_919) % MANY_PLAYERS)}/transactions`),
      count: 30_000,
    } satisfies Load,
    listDeepestTenThousand: list(ACCOUNTS.tenThousand, 'page=500'),
    listByAmount: list(ACCOUNTS.million, 'sortBy=amount'),
    listByQuantity: list(ACCOUNTS.million, 'sortBy=quantity'),
    listByTotal: list(ACCOUNTS.million, 'sortBy=total&sortOrder=asc'),
    listFiltered: list(ACCOUNTS.hundred, 'from=source-3&minAmount=0'),
    // More pages than the service caches: accounts of a hundred transactions in many orders, and with many filters.
    listSorted: get((index) => `/guild/ledger/${sortedPageOf(index)}`),
    listFilteredInTurn: get(
      (index) =>
        `/guild/ledger/${hundredOf(index)}/transactions?from=source-${index % 10}&minAmount=${index % 997}`,
    ),
    postDistinct: post((index) => `new-${index}`, DISTINCT_PLAYERS),
    /** Other players for each name. */
    postNew: (name: string) => post((index) => `${name}-${index}`, DISTINCT_PLAYERS),
    postManyGuilds: {
      count: DISTINCT_PLAYERS,
      request: (index) => ({
        path: '/guild/ledger',
        key: keysOfOthers[index % keysOfOthers.length],
        body: transaction(`new-${index}`, index),
      }),
    } satisfies Load,
    postOne: post(() => 'busy'),
    postIdempotent: { ...post((index) => `kept-${index}`), hasIdempotencyKeys: true } satisfies Load,
    account: get((index) => `/guild/accounts/player-${10 + ((index * 7_919) % 50)}`),
    accounts: get(() => '/guild/accounts?limit=20'),
    history: get(() => '/guild/transactions?limit=20'),
    historyOfPlayer: get(() => `/guild/transactions?limit=20&playerId=${ACCOUNTS.tenThousand}`),
    transaction: get((index) => `/guild/transactions/${idOf(index)}`),
    feed: get((index) => `/guild/feed?limit=20&after=${1 + (index % PAGES)}`),
    // More pages than the service could keep in memory, near the beginning and near the end of a ledger.
    historyPages: get((index) => `/guild/transactions?limit=20&cursor=${cursorAt(9_000 - (index % PAGES))}`),
    feedOfLarge: get((index) => `/guild/feed?limit=20&after=${9_000_000 + (index % PAGES)}`),
    historyPagesOfLarge: get(
      (index) => `/guild/transactions?limit=20&cursor=${cursorAt(5_000_000 - (index % PAGES))}`,
    ),
    /** A hundred transactions each: a rate of one is a hundred rows. */
    batch: {
      count: 300,
      // With as many as usual a second passes before the first ones are answered.
      connections: 8,
      request: (index) => ({ path: '/guild/transactions', key: keyOf(index), body: batchOf(index) }),
    } satisfies Load,
    payment: {
      count: keys.length,
      request: (index) => ({ path: '/guild/payments', key: keyOf(index), body: payment(index) }),
    } satisfies Load,
    paymentManyGuilds: {
      count: DISTINCT_PLAYERS,
      request: (index) => ({
        path: '/guild/payments',
        key: keysOfOthers[index % keysOfOthers.length],
        body: payment(index),
      }),
    } satisfies Load,
    /** Each post is taken back by one of the next requests. */
    reversal: {
      ...post((index) => `reversed-${index}`),
      kinds: [0, keys.length],
      followUp: { path: '/guild/transactions/{transactionId}/reversal', body: '{}' },
      request: (index) =>
        index < keys.length
          ? { path: '/guild/ledger', key: keyOf(index), body: transaction(`reversed-${index}`, index) }
          : { path: `/guild/transactions/${idOf(0)}/reversal`, key: keyOf(index), body: '{}' },
    } satisfies Load,
    refusedAbsent: { ...get((index) => `/guild/discharges/none-${index}`), isRefused: true } satisfies Load,
    refusedKey: {
      count: keys.length,
      isRefused: true,
      request: (index) => ({
        path: `/guild/discharges/D-${index % RECORDS_ASKED}`,
        key: `gb_mistyped${index}`,
      }),
    } satisfies Load,
    // One key asks far more often than it may.
    refusedRate: {
      count: 1,
      isRefused: true,
      request: () => ({ path: `/guild/ledger/${ACCOUNTS.hundred}/transactions`, key: keyOf(0) }),
    } satisfies Load,
    /** Seven lists, two posts, one record. */
    mixed: {
      count: keys.length,
      kinds: [0, 7, 9],
      request(index) {
        const key = keyOf(index);
        const place = index % MIX_PERIOD;
        if (place < 7) return { path: `/guild/ledger/${others(index)}/transactions`, key };
        if (place < 9) return { path: '/guild/ledger', key, body: transaction(others(index), index) };
        return { path: `/guild/discharges/D-${index % RECORDS_ASKED}`, key };
      },
    } satisfies Load,
  };
}

type AllLoads = ReturnType<typeof createLoads>;
/** Those that a job is named after. */
export type Loads = Omit<AllLoads, 'postNew'>;

/** The player of the small ledger whose turn it is. */
export function smallPlayerOf(index: number): string {
  return `player-${2 + (index % SMALL_PLAYERS)}`;
}

/** A player with a hundred transactions in every ledger. */
function hundredOf(index: number): string {
  return `player-${FIRST_ACCOUNT + (index % ACCOUNTS_OF_HUNDRED)}`;
}

/** Each player's five pages in three orders. */
function sortedPageOf(index: number): string {
  const turn = Math.floor(index / ACCOUNTS_OF_HUNDRED);
  const sortBy = SORTS[Math.floor(turn / PAGES_OF_HUNDRED) % SORTS.length];
  return `${hundredOf(index)}/transactions?page=${1 + (turn % PAGES_OF_HUNDRED)}&sortBy=${sortBy}`;
}

/** As the ledger was filled. */
function idOf(index: number): string {
  const account = FIRST_ACCOUNT + (index % ACCOUNTS_OF_HUNDRED);
  const seq = 1 + (Math.floor(index / ACCOUNTS_OF_HUNDRED) % ROWS_EACH);
  return transactionIdOf(account, seq);
}

/** The cursor for the rows before this one, in a list without filters. */
function cursorAt(before: number): string {
  return writeCursor([before], UNFILTERED);
}

function batchOf(index: number): string {
  const items = Array.from({ length: BATCH_ITEMS }, (_, item) => {
    return JSON.parse(transaction(`batch-${(index * BATCH_ITEMS + item) % DISTINCT_PLAYERS}`, item));
  });
  return JSON.stringify({ transactions: items });
}

function payment(index: number): string {
  const [fromPlayerId, toPlayerId] = [`payer-${index}`, `payee-${index}`];
  return JSON.stringify({ fromPlayerId, toPlayerId, amount: 12.5, name: 'Debt', source: 'bench' });
}

export function transaction(playerId: string, index: number): string {
  return JSON.stringify({
    playerId,
    name: `Iron Ingot ${index % 300}`,
    quantity: 1 + (index % 9),
    amount: index % 3 === 0 ? -12.5 : 17.25,
    source: `source-${index % 10}`,
  });
}
