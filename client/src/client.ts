import { path, query as queryText } from './address.ts';
import { type CallOptions, checkIdempotencyKey, type PostOptions } from './calls.ts';
import { fieldOf, listOf } from './check-shape.ts';
import { createGuildRecordCalls, type GuildRecordCalls } from './guild-records.ts';
import { createKeyLogCalls, type KeyLogCalls } from './key-log.ts';
import { createLedgerCalls, type LedgerCalls } from './ledger.ts';
import { type ClientOptions, readOptions } from './options.ts';
import { type TransactionPage, walkPages } from './pages.ts';
import { type Answer, expectShape, readField, unexpectedAnswer } from './parse-response.ts';
import type { TransactionsQuery, WalkQuery } from './queries.ts';
import { sendWithRetries } from './retry.ts';
import type {
  BotCommand,
  Discharge,
  LedgerTransaction,
  ListCommandsQuery,
  NewTransaction,
  PostTransactionReply,
  Transfer,
  Verification,
} from './schema.ts';
import { createSealCalls, type SealCalls } from './seal-calls.ts';
import type { Request } from './send.ts';
import {
  isBotCommand,
  isDischarge,
  isLedgerTransaction,
  isPagination,
  isPostTransactionReply,
  isTransfer,
  isVerification,
} from './shapes.ts';
import { createWebhookCalls, type WebhookCalls } from './webhooks.ts';

export interface PostedTransaction extends Omit<PostTransactionReply, 'success'> {
  transactionId: string;
  /** The player's balance right after the transaction. */
  balance: number;
  /** The same with all its digits, such as `1280.75`. A number holds all of them up to 549,755,813,888. */
  balanceText: string;
  /** True when the transaction had been posted before: by an earlier call, or by an interrupted attempt of this one. */
  replayed: boolean;
}

/** The calls of a guild's key. Every failed call rejects with a `GuildbookError`. */
export interface GuildbookClient extends LedgerCalls, GuildRecordCalls, KeyLogCalls, SealCalls, WebhookCalls {
  /** Scope `guild:read`. */
  getDischarge(dischargeId: string, options?: CallOptions): Promise<Discharge>;
  /** Scope `guild:read`. */
  getTransfer(transferId: string, options?: CallOptions): Promise<Transfer>;
  /**
   * Finds the person behind a chatId, a playerId or a user name, in either case. Begin with `chat:`, `player:` or
   * `name:` to select the kind. Scope `users:read`.
   */
  getUser(query: string, options?: CallOptions): Promise<Verification>;
  /** The commands of the chat bot, all of them or one category. */
  listCommands(query?: ListCommandsQuery, options?: CallOptions): Promise<BotCommand[]>;
  /**
   * Posts a deposit (positive amount) or a withdrawal (negative amount), exactly once even when the request is
   * repeated. When it resolves, the transaction is on disk. Scope `guild:write`.
   */
  postTransaction(input: NewTransaction, options?: PostOptions): Promise<PostedTransaction>;
  /** One page of a player's transactions. Scope `guild:read`. */
  listTransactions(
    playerId: string,
    query?: TransactionsQuery,
    options?: CallOptions,
  ): Promise<TransactionPage>;
  /** All of a player's transactions, for `for await`; each page is requested when it is needed. Scope `guild:read`. */
  transactions(playerId: string, query?: WalkQuery, options?: CallOptions): AsyncIterable<LedgerTransaction>;
}

const WALK_LIMIT = 100;

/**
 * Creates a client of one guild. It holds no connection and needs no closing. The key cannot be read from it: neither
 * printing nor serialising a client shows it.
 */
export function createClient(options: ClientOptions): GuildbookClient {
  const settings = readOptions(options);
  const createKey = options.createIdempotencyKey ?? (() => crypto.randomUUID());
  const send = (request: Request) => sendWithRetries(request, settings);
  const get = (address: string, { signal }: CallOptions = {}) =>
    send({ method: 'GET', path: address, signal });

  const client: GuildbookClient = {
    ...createLedgerCalls({ ...settings, send, createIdempotencyKey: createKey }),
    ...createGuildRecordCalls(send),
    ...createKeyLogCalls(send),
    ...createSealCalls(send),
    ...createWebhookCalls({ send }),
    async getDischarge(dischargeId, callOptions) {
      return readField(await get(path`/guild/discharges/${dischargeId}`, callOptions), 'data', isDischarge);
    },
    async getTransfer(transferId, callOptions) {
      const answer = await get(path`/guild/transfers/${transferId}`, callOptions);
      // The only success without an envelope.
      return expectShape(answer, answer.body, isTransfer);
    },
    async getUser(query, callOptions) {
      return readField(await get(path`/users/${query}`, callOptions), 'data', isVerification);
    },
    async listCommands({ category } = {}, callOptions) {
      return readField(
        await get(`/commands${queryText({ category })}`, callOptions),
        'data',
        listOf(isBotCommand),
      );
    },
    async postTransaction(input, { idempotencyKey = createKey(), signal } = {}) {
      checkIdempotencyKey(idempotencyKey);
      const body = JSON.stringify(input);
      return readPosted(await send({ method: 'POST', path: '/guild/ledger', body, idempotencyKey, signal }));
    },
    async listTransactions(playerId, query = {}, callOptions) {
      const address = path`/guild/ledger/${playerId}/transactions` + queryText({ ...query });
      const answer = await get(address, callOptions);
      const transactions = fieldOf(fieldOf(answer.body, 'data'), 'transactions');
      return {
        transactions: expectShape(answer, transactions, listOf(isLedgerTransaction)),
        pagination: readField(answer, 'pagination', isPagination),
      };
    },
    transactions(playerId, query, callOptions) {
      const readPage = (page: number) =>
        client.listTransactions(playerId, { limit: WALK_LIMIT, ...query, page }, callOptions);
      return { [Symbol.asyncIterator]: () => walkPages(readPage) };
    },
  };
  return client;
}

function readPosted(answer: Answer): PostedTransaction {
  const { message, type } = expectShape(answer, answer.body, isPostTransactionReply);
  const transactionId = answer.headers.get('transaction-id');
  const balanceText = answer.headers.get('account-balance') ?? '';
  if (transactionId === null || !/^-?\d+(\.\d+)?$/.test(balanceText)) {
    throw unexpectedAnswer(answer);
  }
  const replayed = answer.headers.get('idempotency-replayed') === 'true';
  return { type, message, transactionId, balance: Number(balanceText), balanceText, replayed };
}
