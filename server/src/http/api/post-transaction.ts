import { decimalText } from '../../domain/ledger/amount.ts';
import { LIMIT_TEXTS } from '../../domain/ledger/key-limits.ts';
import { EXAMPLE_TRANSACTION } from '../../wire/examples.ts';
import { NewTransaction, PostHeaders, PostReply } from '../../wire/ledger.ts';
import { type Body, toBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

const SECOND_MS = 1_000;

const route = {
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
  unknownParameters: 'named',
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
    { code: 'key_limit_exceeded', detail: LIMIT_TEXTS.withdrawal_limit },
    { code: 'overdraft' },
    { code: 'balance_out_of_range' },
    { code: 'malformed_json' },
    { code: 'body_too_large' },
    { code: 'unsupported_media_type' },
    { code: 'idempotency_mismatch' },
  ],
} satisfies Endpoint;

const BODIES: Record<'deposit' | 'withdrawal', Body> = {
  deposit: toBody('{"success":true,"message":"Transaction Posted (deposit)","type":"deposit"}'),
  withdrawal: toBody('{"success":true,"message":"Transaction Posted (withdrawal)","type":"withdrawal"}'),
};

export const postTransaction = forKey(route, ({ ledger }) => async ({ who, body, request }) => {
  const outcome = await ledger.post(who, body, idempotencyKeyOf(request));
  const headers = [
    'transaction-id',
    outcome.transactionId,
    'account-balance',
    decimalText(outcome.balanceUnits),
  ];
  if (outcome.replayed) {
    headers.push('idempotency-replayed', 'true');
  }
  return { body: BODIES[outcome.type], headers };
});
