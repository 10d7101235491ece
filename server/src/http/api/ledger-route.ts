import type { RateBucket } from '../../domain/ports.ts';

const SECOND_MS = 1_000;

/** The limit of a ledger route: ten requests a second for each key, counted apart from other routes. */
export function tenPerSecond(name: string): RateBucket {
  return { name, limit: 10, windowMs: SECOND_MS };
}

/** Headers of an answer that repeats the first one of the same idempotency key. */
export const REPLAYED_HEADERS = ['idempotency-replayed', 'true'];

export const REPLAYED_HEADER = {
  'Idempotency-Replayed': {
    description: 'Present and `true` when this is the first answer again and nothing was posted.',
    example: 'true',
  },
};
