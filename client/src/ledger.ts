import { path, query as queryText } from './address.ts';
import { type CallOptions, checkIdempotencyKey, type PostOptions } from './calls.ts';
import { listOf } from './check-shape.ts';
import { type CursorPage, dataOf, pageOf, walk } from './cursor-pages.ts';
import { type FollowOptions, followFeed } from './follow.ts';
import type { Clock } from './options.ts';
import { type Answer, readField } from './parse-response.ts';
import type { HistoryQuery, WalkHistoryQuery } from './queries.ts';
import type {
  Account,
  BatchItem,
  BatchResult,
  GetAccountQuery,
  LedgerEntry,
  ListAccountsQuery,
  NewPayment,
  PostPaymentReplyData,
  RankedAccount,
  ReadFeedQuery,
} from './schema.ts';
import type { Request } from './send.ts';
import {
  isAccount,
  isBatchResult,
  isLedgerEntry,
  isPostPaymentReplyData,
  isRankedAccount,
} from './shapes.ts';

/** Filters for walking through accounts; cursors are handled by the client. `limit` is the size of one page. */
export type WalkAccountsQuery = Omit<ListAccountsQuery, 'cursor' | 'playerIds'>;

export interface BatchOptions extends PostOptions {
  /** True, the default, posts all or none; false posts each on its own. */
  atomic?: boolean | undefined;
}

export interface ReversalOptions extends PostOptions {
  reason?: string | undefined;
}

export interface Reversal {
  transaction: LedgerEntry;
  reversed: LedgerEntry;
  replayed: boolean;
}

export interface Payment extends PostPaymentReplyData {
  replayed: boolean;
}

/** Accounts, history, batches, reversals and payments. */
export interface LedgerCalls {
  /** A player's balance, now or at a time. Scope `guild:read`. */
  getAccount(playerId: string, query?: GetAccountQuery, options?: CallOptions): Promise<Account>;
  /** The accounts of up to 100 players, in the given order. Scope `guild:read`. */
  getAccounts(playerIds: readonly string[], options?: CallOptions): Promise<RankedAccount[]>;
  /** One page of the leaderboard. Scope `guild:read`. */
  listAccounts(
    query?: Omit<ListAccountsQuery, 'playerIds'>,
    options?: CallOptions,
  ): Promise<CursorPage<RankedAccount>>;
  /** All accounts ordered by balance, for `for await`. Scope `guild:read`. */
  accounts(query?: WalkAccountsQuery, options?: CallOptions): AsyncIterable<RankedAccount>;
  /** Scope `guild:read`. */
  getTransaction(transactionId: string, options?: CallOptions): Promise<LedgerEntry>;
  /** One page of the guild's transactions, newest first. Scope `guild:read`. */
  listHistory(query?: HistoryQuery, options?: CallOptions): Promise<CursorPage<LedgerEntry>>;
  /** All of the guild's transactions, newest first, for `for await`. Scope `guild:read`. */
  history(query?: WalkHistoryQuery, options?: CallOptions): AsyncIterable<LedgerEntry>;
  /** The transactions after a number, in order. Scope `guild:read`. */
  readFeed(query?: ReadFeedQuery, options?: CallOptions): Promise<LedgerEntry[]>;
  /** All transactions after a number, up to the present last one, for `for await`. Scope `guild:read`. */
  feed(query?: ReadFeedQuery, options?: CallOptions): AsyncIterable<LedgerEntry>;
  /**
   * The same, followed by each new transaction, for `for await`: in order, each once, through outages of the service,
   * until the signal is aborted. `number` is the position: save it, and pass it as `after` to continue there. Scope
   * `guild:read`.
   */
  follow(query?: ReadFeedQuery, options?: FollowOptions): AsyncIterable<LedgerEntry>;
  /**
   * Posts up to 100 transactions with one request, exactly once even when the request is repeated. When an item of an
   * atomic batch is refused, it rejects with a `conflict` whose message names the item and whose `data` has the
   * results. Scope `guild:write`.
   */
  postBatch(transactions: readonly BatchItem[], options?: BatchOptions): Promise<BatchResult[]>;
  /** Reverses a transaction. Scope `guild:write`. */
  reverse(transactionId: string, options?: ReversalOptions): Promise<Reversal>;
  /** Reverses up to 100 transactions, all or none. Scope `guild:write`. */
  reverseAll(transactionIds: readonly string[], options?: ReversalOptions): Promise<LedgerEntry[]>;
  /** Moves an amount from one player to another, in one commit. Scope `guild:write`. */
  pay(payment: NewPayment, options?: PostOptions): Promise<Payment>;
}

const WALK_LIMIT = 100;
const FEED_LIMIT = 1_000;
/** Leaves room for the index that is appended for each item. */
const BATCH_KEY_LENGTH_MAX = 252;

interface LedgerParts {
  send: (request: Request) => Promise<Answer>;
  createIdempotencyKey: () => string;
  clock: Pick<Clock, 'sleep'>;
  random: () => number;
}

export function createLedgerCalls(parts: LedgerParts): LedgerCalls {
  const { send, createIdempotencyKey } = parts;
  const get = (address: string, { signal }: CallOptions = {}) =>
    send({ method: 'GET', path: address, signal });
  const post = (address: string, content: object, options: PostOptions, keyLengthMax?: number) => {
    const { idempotencyKey = createIdempotencyKey(), signal } = options;
    checkIdempotencyKey(idempotencyKey, keyLengthMax);
    return send({ method: 'POST', path: address, body: JSON.stringify(content), idempotencyKey, signal });
  };

  const calls: LedgerCalls = {
    async getAccount(playerId, query = {}, options) {
      const answer = await get(path`/guild/accounts/${playerId}` + queryText({ ...query }), options);
      return readField(answer, 'data', isAccount);
    },
    async getAccounts(playerIds, options) {
      const list = playerIds.map((id) => encodeURIComponent(id)).join(',');
      return dataOf(
        await get(`/guild/accounts?playerIds=${list}`, options),
        'accounts',
        listOf(isRankedAccount),
      );
    },
    async listAccounts(query = {}, options) {
      const answer = await get(`/guild/accounts${queryText({ ...query })}`, options);
      return pageOf(answer, 'accounts', listOf(isRankedAccount));
    },
    accounts: (query, options) =>
      walk((cursor) => calls.listAccounts({ limit: WALK_LIMIT, ...query, cursor }, options)),
    async getTransaction(transactionId, options) {
      return dataOf(
        await get(path`/guild/transactions/${transactionId}`, options),
        'transaction',
        isLedgerEntry,
      );
    },
    async listHistory(query = {}, options) {
      const answer = await get(`/guild/transactions${queryText({ ...query })}`, options);
      return pageOf(answer, 'transactions', listOf(isLedgerEntry));
    },
    history: (query, options) =>
      walk((cursor) => calls.listHistory({ limit: WALK_LIMIT, ...query, cursor }, options)),
    async readFeed(query = {}, options) {
      return dataOf(
        await get(`/guild/feed${queryText({ ...query })}`, options),
        'transactions',
        listOf(isLedgerEntry),
      );
    },
    feed: (query, options) =>
      drain((after) => calls.readFeed({ limit: FEED_LIMIT, ...query, after }, options), query?.after),
    follow: (query = {}, options = {}) => followFeed(query, options, { ...parts, readFeed: calls.readFeed }),
    async postBatch(transactions, { atomic, ...options } = {}) {
      const answer = await post(
        '/guild/transactions',
        { atomic, transactions },
        options,
        BATCH_KEY_LENGTH_MAX,
      );
      return dataOf(answer, 'results', listOf(isBatchResult));
    },
    async reverse(transactionId, { reason, ...options } = {}) {
      const answer = await post(path`/guild/transactions/${transactionId}/reversal`, { reason }, options);
      return {
        transaction: dataOf(answer, 'transaction', isLedgerEntry),
        reversed: dataOf(answer, 'reversed', isLedgerEntry),
        replayed: isReplayed(answer),
      };
    },
    async reverseAll(transactionIds, { reason, ...options } = {}) {
      const answer = await post('/guild/reversals', { transactionIds, reason }, options);
      return dataOf(answer, 'transactions', listOf(isLedgerEntry));
    },
    async pay(payment, options = {}) {
      const answer = await post('/guild/payments', payment, options);
      return { ...readField(answer, 'data', isPostPaymentReplyData), replayed: isReplayed(answer) };
    },
  };
  return calls;
}

function isReplayed({ headers }: Answer): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

/** Everything after a number, until there is nothing more. */
async function* drain(
  readNext: (after: number) => Promise<LedgerEntry[]>,
  first = 0,
): AsyncGenerator<LedgerEntry> {
  let after = first;
  for (;;) {
    const entries = await readNext(after);
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined) {
      return;
    }
    after = last.number;
  }
}
