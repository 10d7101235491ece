import { isIPv6 } from 'node:net';
import { DomainError } from '../../domain/errors.ts';
import type { Admission, RateBucket, RateLimiter } from '../../domain/ports.ts';

export interface LimitParts {
  limiter: RateLimiter;
  onRateLimited: (bucket: string) => void;
}

/** Counts a request against a limit, adds headers that describe it, and refuses one too many. */
export function countRequest(
  bucket: RateBucket,
  { subject, headers }: { subject: string; headers: string[] },
  { limiter, onRateLimited }: LimitParts,
): void | Promise<void> {
  const decide = (admission: Admission) => {
    headers.push(...rateHeaders(bucket, admission));
    if (!admission.admitted) {
      onRateLimited(bucket.name);
      throw refusalOf(bucket, admission);
    }
  };
  const admission = limiter.admit(bucket, subject);
  return admission instanceof Promise ? admission.then(decide) : decide(admission);
}

/** A limit, and whose requests count against it. */
export interface CountedLimit extends RateBucket {
  subject: string;
  /** The limit's name in the metrics. */
  label: string;
}

/**
 * Counts a request against several limits in turn. The headers describe the limit that refuses it, or else the one that leaves
 * the fewest requests.
 */
export async function countAgainstAll(
  limits: readonly CountedLimit[],
  headers: string[],
  { limiter, onRateLimited }: LimitParts,
): Promise<void> {
  let tightest: { limit: CountedLimit; admission: Admission } | undefined;
  for (const limit of limits) {
    const admission = await limiter.admit(limit, limit.subject);
    if (!admission.admitted) {
      headers.push(...rateHeaders(limit, admission));
      onRateLimited(limit.label);
      throw refusalOf(limit, admission);
    }
    if (tightest === undefined || admission.remaining < tightest.admission.remaining) {
      tightest = { limit, admission };
    }
  }
  if (tightest !== undefined) {
    headers.push(...rateHeaders(tightest.limit, tightest.admission));
  }
}

function refusalOf(bucket: RateBucket, admission: Admission): DomainError {
  return new DomainError('rate_limited', {
    detail: describeBucket(bucket),
    retryAfterSeconds: retryAfterSeconds(admission),
  });
}

/** The headers that describe a limit and its state, names and values in turn. */
function rateHeaders({ limit }: RateBucket, admission: Admission): string[] {
  return [
    'x-ratelimit-limit',
    String(limit),
    'x-ratelimit-remaining',
    String(admission.remaining),
    'x-ratelimit-reset-after',
    (waitMs(admission) / 1_000).toFixed(3),
  ];
}

export function describeBucket({ limit, windowMs }: RateBucket): string {
  const units: Record<number, string> = { 1000: 'second', 60000: 'minute' };
  const window = units[windowMs] ?? `${windowMs / 1_000} seconds`;
  return `${limit} requests per ${window}`;
}

/** A request is admitted only after more than `resetAfterMs`, so this is the next whole millisecond. */
function waitMs({ resetAfterMs }: Admission): number {
  return Math.floor(resetAfterMs) + 1;
}

/** Retry-After has whole seconds. It is never 0, because a client that does not wait would be refused again. */
export function retryAfterSeconds(admission: Admission): number {
  return Math.ceil(waitMs(admission) / 1_000);
}

/** An IPv6 customer can send from a whole /64, so a /64 counts as one address. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) {
    return address;
  }
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const tailLength = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  while (tail !== undefined && groups.length + tailLength < 8) {
    groups.push('0');
  }
  return `${groups
    .concat(tail?.split(':') ?? [])
    .slice(0, 4)
    .join(':')}::/64`;
}
