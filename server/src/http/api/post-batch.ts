import { DomainError } from '../../domain/errors.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import type { BatchResult, BatchItem as Item } from '../../domain/ledger/batches.ts';
import { quoted, textOrNull } from '../../domain/ledger/entry-text.ts';
import { EXAMPLE_ENTRY } from '../../wire/examples.ts';
import { BatchHeaders, BatchItem, BatchReply, NewBatch } from '../../wire/ledger-entries.ts';
import { type Answer, answerText, toBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { describeError } from '../errors.ts';
import { createItemReader } from '../input.ts';
import type { HttpRequest } from '../request.ts';
import { forKey } from './for-key.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const BODY_BYTES_MAX = 256 * 1_024;

const route = {
  operationId: 'postBatch',
  method: 'POST',
  path: '/guild/transactions',
  tag: 'Ledger',
  summary: 'Post many transactions',
  description:
    'Posts up to 100 transactions with one request, in the order given. Unless `atomic` is false, all are posted or none: ' +
    'when one is refused, the answer is 409, its message names that one by its index, counted from 0, and the others are ' +
    'skipped. With `atomic` false each succeeds or fails on its ' +
    'own, and the answer is 200. Send an `Idempotency-Key`, or one for each item, to make retries safe. ' +
    'The same `Idempotency-Key` with other items is refused with 422.',
  access: 'key',
  scope: 'guild:write',
  bucket: tenPerSecond('post-batch'),
  errorShape: 'coded',
  body: NewBatch,
  bodyBytesMax: BODY_BYTES_MAX,
  headers: BatchHeaders,
  reply: BatchReply,
  examples: {
    posted: {
      success: true,
      data: {
        results: [
          {
            status: 'posted',
            transactionId: EXAMPLE_ENTRY.transactionId,
            balance: EXAMPLE_ENTRY.balanceAfter,
            code: null,
            message: null,
          },
        ],
      },
    },
  },
  errors: [
    { code: 'missing_fields' },
    { code: 'invalid_input', detail: 'transactions must be a list of 1 to 100' },
    { code: 'malformed_json' },
    {
      code: 'batch_refused',
      item: 'transactions[3]: Bad request - amount must not be zero',
    },
    { code: 'idempotency_mismatch' },
    { code: 'body_too_large' },
    { code: 'unsupported_media_type' },
  ],
} satisfies Endpoint;

export const postBatch = forKey(route, ({ postBatch }) => {
  const readItem = createItemReader(BatchItem);
  function toItem(data: unknown): Item | DomainError {
    try {
      return readItem(data);
    } catch (error) {
      if (error instanceof DomainError) {
        return error;
      }
      throw error;
    }
  }
  return async ({ who, body, request }) => {
    const { isRefused, results } = await postBatch(who, {
      isAtomic: body.atomic ?? true,
      items: body.transactions.map(toItem),
      idempotencyKey: idempotencyKeyOf(request),
    });
    const data = `{"results":[${results.map(resultText).join(',')}]}`;
    return isRefused ? refuse(request, data, results) : answerText(`{"success":true,"data":${data}}`);
  };
});

/** The message names the first item that was refused and the reason; the results show all of them. */
function refuse(request: HttpRequest, data: string, results: readonly BatchResult[]): Answer {
  const position = results.findIndex(({ status }) => status === 'refused');
  const first = results[position];
  const reason = first?.status === 'refused' ? `: ${describeError(first.error).message}` : '';
  const error = new DomainError('batch_refused', { item: `transactions[${position}]${reason}` });
  // Counted and logged as a refusal, like those that are thrown.
  request.refusal = error;
  const { status, message } = describeError(error);
  return {
    status,
    body: toBody(`{"success":false,"message":${quoted(message)},"code":"${error.code}","data":${data}}`),
  };
}

function resultText(result: BatchResult): string {
  const isWritten = result.status === 'posted' || result.status === 'replayed';
  const transactionId = isWritten ? result.transactionId : undefined;
  const balance = isWritten ? decimalText(result.balanceUnits) : 'null';
  const error = result.status === 'refused' ? result.error : undefined;
  return (
    `{"status":"${result.status}","transactionId":${textOrNull(transactionId)},"balance":${balance},` +
    `"code":${textOrNull(error?.code)},"message":${textOrNull(error && describeError(error).message)}}`
  );
}
