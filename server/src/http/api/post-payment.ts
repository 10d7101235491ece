import { decimalText } from '../../domain/ledger/amount.ts';
import { LIMIT_TEXTS } from '../../domain/ledger/key-limits.ts';
import { postedForKey } from '../../domain/ledger/ledger.ts';
import type { AppendOutcome } from '../../domain/model.ts';
import { EXAMPLE_PAYMENT_ID, EXAMPLE_REVERSAL_ID, EXAMPLE_TRANSACTION } from '../../wire/examples.ts';
import { PostHeaders } from '../../wire/ledger.ts';
import { NewPayment, PaymentReply } from '../../wire/ledger-entries.ts';
import { answerText } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { REPLAYED_HEADER, REPLAYED_HEADERS, tenPerSecond } from './ledger-route.ts';

const route = {
  operationId: 'postPayment',
  method: 'POST',
  path: '/guild/payments',
  tag: 'Ledger',
  summary: 'Pay from one player to another',
  description:
    'Takes an amount from one player and gives it to another: both sides are posted, in one commit, or neither. The two ' +
    'transactions share a `paymentId`.',
  access: 'key',
  scope: 'guild:write',
  bucket: tenPerSecond('post-payment'),
  errorShape: 'coded',
  body: NewPayment,
  headers: PostHeaders,
  reply: PaymentReply,
  replyHeaders: REPLAYED_HEADER,
  examples: {
    paid: {
      success: true,
      data: {
        paymentId: EXAMPLE_PAYMENT_ID,
        from: { transactionId: EXAMPLE_REVERSAL_ID, balance: 1255.75 },
        to: { transactionId: EXAMPLE_TRANSACTION.transactionId, balance: 80 },
      },
    },
  },
  errors: [
    { code: 'missing_fields' },
    { code: 'invalid_input', detail: 'fromPlayerId and toPlayerId must differ' },
    { code: 'key_limit_exceeded', detail: LIMIT_TEXTS.withdrawal_limit },
    { code: 'insufficient_funds' },
    { code: 'balance_out_of_range' },
    { code: 'malformed_json' },
    { code: 'body_too_large' },
    { code: 'unsupported_media_type' },
    { code: 'idempotency_mismatch' },
  ],
} satisfies Endpoint;

export const postPayment = forKey(route, ({ pay }) => async ({ who, body, request }) => {
  const { paymentId, from, to, replayed } = await pay(postedForKey(who), body, idempotencyKeyOf(request));
  const data = `{"paymentId":"${paymentId}","from":${sideText(from)},"to":${sideText(to)}}`;
  return {
    ...answerText(`{"success":true,"data":${data}}`),
    ...(replayed && { headers: REPLAYED_HEADERS }),
  };
});

function sideText({ transactionId, balanceUnits }: AppendOutcome): string {
  return `{"transactionId":"${transactionId}","balance":${decimalText(balanceUnits)}}`;
}
