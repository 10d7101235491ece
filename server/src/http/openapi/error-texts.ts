import type { ErrorCode, ErrorFacts } from '../../domain/errors.ts';
import { EXAMPLE_REVERSAL_ID } from '../../wire/examples.ts';

/** The `data` of some example errors. */
export const EXAMPLE_FACTS: Partial<Record<ErrorCode, ErrorFacts>> = {
  already_reversed: { transactionId: EXAMPLE_REVERSAL_ID, position: 0 },
};

export const STATUS_TEXTS: Record<number, string> = {
  400: 'Bad request: nothing was changed',
  401: 'The key or token is missing or not valid',
  403: 'The key lacks the required scope',
  404: 'There is no such record',
  408: 'The head did not arrive within ten seconds, or the body within fifteen: nothing was changed, and the connection is closed',
  409: 'It conflicts with what is there: nothing was changed',
  410: 'It was written into an archive file and is no longer here',
  412: 'The catalogue has changed since it was read',
  413: 'The body is too large',
  415: 'The body has another content type',
  417: '`Expect` has another value than `100-continue`',
  422: 'The idempotency key belongs to another request',
  429: 'Too many requests',
  431: 'Address and headers together are larger than 16 KiB',
  500: 'Something went wrong on our side',
  503: 'The service cannot answer right now',
};
