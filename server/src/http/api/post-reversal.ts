import { entryText, entryTexts } from '../../domain/ledger/entry-text.ts';
import { LIMIT_TEXTS } from '../../domain/ledger/key-limits.ts';
import { postedForKey } from '../../domain/ledger/ledger.ts';
import { EXAMPLE_ENTRY, EXAMPLE_REVERSAL_ID } from '../../wire/examples.ts';
import { PostHeaders } from '../../wire/ledger.ts';
import {
  NewReversal,
  NewReversals,
  ReversalReply,
  ReversalsReply,
  TransactionParams,
} from '../../wire/ledger-entries.ts';
import { answerText } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { REPLAYED_HEADER, REPLAYED_HEADERS, tenPerSecond } from './ledger-route.ts';
import { namingItem } from './refused-item.ts';

const EXAMPLE_REVERSAL = {
  ...EXAMPLE_ENTRY,
  transactionId: EXAMPLE_REVERSAL_ID,
  amount: -EXAMPLE_ENTRY.amount,
  total: -EXAMPLE_ENTRY.total,
  number: EXAMPLE_ENTRY.number + 1,
  balanceAfter: EXAMPLE_ENTRY.balanceAfter - EXAMPLE_ENTRY.total,
  type: 'withdrawal',
  reverses: EXAMPLE_ENTRY.transactionId,
  reference: null,
  metadata: { reason: 'Paid twice' },
};

const REFUSALS = [
  { code: 'transaction_not_found' },
  { code: 'archived' },
  { code: 'key_limit_exceeded', detail: LIMIT_TEXTS.withdrawal_limit },
  { code: 'insufficient_funds' },
  { code: 'already_reversed' },
  { code: 'is_reversal' },
  { code: 'is_payment' },
  { code: 'balance_out_of_range' },
  { code: 'malformed_json' },
  { code: 'body_too_large' },
  { code: 'unsupported_media_type' },
  { code: 'idempotency_mismatch' },
] as const;

const postReversal = {
  operationId: 'postReversal',
  method: 'POST',
  path: '/guild/transactions/{transactionId}/reversal',
  isBesideList: true,
  tag: 'Ledger',
  summary: 'Reverse a transaction',
  description:
    'Posts the exact opposite of a transaction on the same account and links the two. A transaction is reversed at most ' +
    'once, and a reversal not at all. The two sides of a payment are reversed together, by `POST /guild/reversals`.',
  access: 'key',
  scope: 'guild:write',
  bucket: tenPerSecond('post-reversal'),
  errorShape: 'coded',
  params: TransactionParams,
  body: NewReversal,
  headers: PostHeaders,
  reply: ReversalReply,
  replyHeaders: REPLAYED_HEADER,
  examples: {
    reversed: {
      success: true,
      data: {
        transaction: EXAMPLE_REVERSAL,
        reversed: { ...EXAMPLE_ENTRY, reversedBy: EXAMPLE_REVERSAL_ID },
      },
    },
  },
  errors: [
    { code: 'missing_parameters' },
    {
      code: 'invalid_input',
      detail: 'reason must be text of 1 to 256 characters without control characters or direction marks',
    },
    ...REFUSALS,
  ],
} satisfies Endpoint;

const postReversals = {
  operationId: 'postReversals',
  method: 'POST',
  path: '/guild/reversals',
  tag: 'Ledger',
  summary: 'Reverse many transactions',
  description:
    'Reverses up to 100 transactions, all or none, by the rules of a single reversal. Both sides of a payment have to be ' +
    'among them. A refusal names the transaction that caused it by its index, counted from 0.',
  access: 'key',
  scope: 'guild:write',
  bucket: tenPerSecond('post-reversals'),
  errorShape: 'coded',
  body: NewReversals,
  headers: PostHeaders,
  reply: ReversalsReply,
  replyHeaders: REPLAYED_HEADER,
  examples: { reversed: { success: true, data: { transactions: [EXAMPLE_REVERSAL] } } },
  errors: [
    { code: 'missing_fields' },
    { code: 'invalid_input', detail: 'transactionIds must be a list of 1 to 100' },
    ...REFUSALS,
  ],
} satisfies Endpoint;

export const REVERSAL_ENDPOINTS = [
  forKey(
    postReversal,
    ({ reverse }) =>
      async ({ who, params: { transactionId }, body: { reason }, request }) => {
        const input = { transactionIds: [transactionId], reason };
        const { reversals, originals, replayed } = await reverse(
          postedForKey(who),
          input,
          idempotencyKeyOf(request),
        );
        const data = `{"transaction":${entryTexts(reversals)},"reversed":${originals.map(entryText).join()}}`;
        return {
          ...answerText(`{"success":true,"data":${data}}`),
          ...(replayed && { headers: REPLAYED_HEADERS }),
        };
      },
  ),
  forKey(postReversals, ({ reverse }) => async ({ who, body, request }) => {
    const by = postedForKey(who);
    const work = reverse(by, body, idempotencyKeyOf(request));
    const { reversals, replayed } = await namingItem('transactionIds', work);
    return {
      ...answerText(`{"success":true,"data":{"transactions":[${entryTexts(reversals)}]}}`),
      ...(replayed && { headers: REPLAYED_HEADERS }),
    };
  }),
];
