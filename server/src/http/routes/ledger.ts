import type { FastifyInstance } from 'fastify';
import type { Ledger } from '../../domain/ledger.ts';
import { EXAMPLE_PLAYER_ID, EXAMPLE_TRANSACTION } from '../../wire/examples.ts';
import {
  ListingParams,
  ListingQuery,
  ListingReply,
  NewTransaction,
  PostHeaders,
  PostReply,
} from '../../wire/ledger.ts';
import { postedBody, postedHeaders, transactionsBody } from '../answer-text.ts';
import { addEndpoint, addHeaders, type Endpoint, sendBody } from '../endpoint.ts';
import { createGuard, type GuardParts, principalOf } from '../guard.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';

const SECOND_MS = 1_000;

export const postTransaction = {
  operationId: 'postTransaction',
  method: 'POST',
  path: '/guild/ledger',
  tag: 'Ledger',
  summary: 'Post a transaction',
  description:
    "Adds a transaction to a player's account. A positive amount is a deposit, a negative one a withdrawal; " +
    'the flags only assert which one is meant. A 200 means that the transaction is on disk. ' +
    'Send an `Idempotency-Key` to make retries safe.',
  access: 'key',
  scope: 'guild:write',
  bucket: { name: 'post-transaction', limit: 10, windowMs: SECOND_MS },
  errorShape: 'enveloped',
  body: NewTransaction,
  headers: PostHeaders,
  reply: PostReply,
  replyHeaders: {
    'Transaction-Id': {
      description: 'Identifier of the transaction.',
      example: EXAMPLE_TRANSACTION.transactionId,
    },
    'Account-Balance': {
      description: "The player's balance right after the transaction.",
      example: '1280.75',
    },
    'Idempotency-Replayed': {
      description: 'Present and `true` when this is the first answer again and nothing was posted.',
      example: 'true',
    },
  },
  examples: {
    deposit: { success: true, message: 'Transaction Posted (deposit)', type: 'deposit' },
    withdrawal: { success: true, message: 'Transaction Posted (withdrawal)', type: 'withdrawal' },
  },
  errors: [
    { code: 'missing_fields' },
    { code: 'deposit_conflict' },
    { code: 'withdrawal_conflict' },
    { code: 'invalid_input', detail: 'quantity must be an integer of at least 1' },
    { code: 'overdraft' },
    { code: 'balance_out_of_range' },
    { code: 'malformed_json' },
    { code: 'body_too_large' },
    { code: 'unsupported_media_type' },
    { code: 'idempotency_mismatch' },
  ],
} satisfies Endpoint;

export const listTransactions = {
  operationId: 'listTransactions',
  method: 'GET',
  path: '/guild/ledger/{playerId}/transactions',
  tag: 'Ledger',
  summary: "List a player's transactions",
  description:
    "One page of a player's account in the key's guild. Filters, sort and order combine freely. A player without " +
    'transactions has an empty list.',
  access: 'key',
  scope: 'guild:read',
  bucket: { name: 'list-transactions', limit: 10, windowMs: SECOND_MS },
  errorShape: 'enveloped',
  params: ListingParams,
  query: ListingQuery,
  reply: ListingReply,
  examples: {
    page: {
      success: true,
      data: {
        playerId: EXAMPLE_PLAYER_ID,
        transactions: [EXAMPLE_TRANSACTION],
      },
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    },
    empty: {
      success: true,
      data: { playerId: EXAMPLE_PLAYER_ID, transactions: [] },
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
    },
  },
  errors: [
    { code: 'missing_parameters' },
    { code: 'invalid_input', detail: 'limit must be an integer from 1 to 100' },
  ],
} satisfies Endpoint;

export function addLedgerRoutes(app: FastifyInstance, parts: GuardParts & { ledger: Ledger }): void {
  const { ledger } = parts;
  addEndpoint(app, postTransaction, createGuard(postTransaction, parts), async (request, reply) => {
    const outcome = await ledger.post(principalOf(request), request.body, idempotencyKeyOf(request));
    addHeaders(reply, postedHeaders(outcome));
    return sendBody(reply, postedBody(outcome.type));
  });

  addEndpoint(app, listTransactions, createGuard(listTransactions, parts), async (request, reply) => {
    const { playerId } = request.params;
    const listing = await ledger.list(principalOf(request), playerId, request.query);
    return sendBody(reply, transactionsBody(playerId, request.query, listing));
  });
}
