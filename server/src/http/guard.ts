import { hash, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type ApiKeys, requireScope } from '../domain/api-keys.ts';
import { DomainError } from '../domain/errors.ts';
import type { Principal } from '../domain/model.ts';
import type { Admission, RateBucket, RateLimiter } from '../domain/ports.ts';
import { addHeaders, type Endpoint } from './endpoint.ts';

/** Failed authentications of one address beyond this are told to slow down. A valid key is never affected. */
const FAILED_AUTHENTICATIONS: RateBucket = { name: 'failed-authentication', limit: 100, windowMs: 60_000 };

export interface GuardParts {
  keys: ApiKeys;
  limiter: RateLimiter;
  onRateLimited: (bucket: string) => void;
}

/** The checks before a handler, in their fixed order: key, scope, rate limit. They run before the body is read. */
export function createGuard(
  endpoint: Pick<Endpoint, 'scope' | 'bucket'>,
  parts: GuardParts,
): onRequestAsyncHookHandler {
  const { scope, bucket } = endpoint;
  return async (request, reply) => {
    const principal = await authenticate(request, parts);
    if (scope !== undefined) {
      requireScope(principal, scope);
    }
    request.principal = principal;
    if (bucket !== undefined) {
      await countRequest(bucket, principal, reply, parts);
    }
  };
}

/** For what is public unless the operator asks for a key: any valid key will do. */
export function createOptionalGuard(requireKey: boolean, parts: GuardParts): onRequestAsyncHookHandler {
  return async (request) => {
    if (!requireKey) {
      return;
    }
    try {
      request.principal = await authenticate(request, parts);
    } catch (error) {
      const isUnauthorized = error instanceof DomainError && error.code === 'unauthorized';
      throw isUnauthorized ? new DomainError('authentication_required', { cause: error }) : error;
    }
  };
}

/** For the operator's bot: its token as a bearer, compared in a time that tells nothing about it. */
export function createBotGuard(token: string, parts: GuardParts): onRequestAsyncHookHandler {
  // Hashes have one length, which the comparison needs, and they do not tell the token's.
  const expected = hash('sha256', `Bearer ${token}`, 'buffer');
  return async (request) => {
    const given = hash('sha256', request.headers.authorization ?? '', 'buffer');
    if (!timingSafeEqual(given, expected)) {
      await countFailure(request, parts);
      throw new DomainError('bot_unauthorized');
    }
  };
}

/** The one behind a request that passed a guard. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) {
    throw new Error('a protected handler ran without its guard');
  }
  return request.principal;
}

async function authenticate(request: FastifyRequest, parts: GuardParts): Promise<Principal> {
  const value = request.headers['x-api-key'];
  try {
    return await parts.keys.authenticate(typeof value === 'string' ? value : undefined);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unauthorized') {
      await countFailure(request, parts);
    }
    throw error;
  }
}

async function countFailure(request: FastifyRequest, parts: GuardParts): Promise<void> {
  const admission = await parts.limiter.admit(FAILED_AUTHENTICATIONS, networkOf(request.ip));
  if (!admission.admitted) {
    parts.onRateLimited(FAILED_AUTHENTICATIONS.name);
    throw new DomainError('authentication_throttled', { retryAfterSeconds: secondsUp(admission) });
  }
}

async function countRequest(
  bucket: RateBucket,
  principal: Principal,
  reply: FastifyReply,
  parts: GuardParts,
): Promise<void> {
  const admission = await parts.limiter.admit(bucket, principal.keyId);
  addHeaders(reply, rateHeaders(bucket, admission));
  if (!admission.admitted) {
    parts.onRateLimited(bucket.name);
    throw new DomainError('rate_limited', {
      detail: describeBucket(bucket),
      retryAfterSeconds: secondsUp(admission),
    });
  }
}

/** What a limited endpoint tells about its limit, names and values in turn. */
export function rateHeaders({ limit }: RateBucket, admission: Admission): string[] {
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
  const window = windowMs === 1_000 ? 'second' : `${windowMs / 1_000} seconds`;
  return `${limit} requests per ${window}`;
}

/** A place is free once more than the stated time has passed, so the next whole millisecond is the one to name. */
function waitMs({ resetAfterMs }: Admission): number {
  return Math.floor(resetAfterMs) + 1;
}

/** Retry-After knows whole seconds only, and waiting none would be refused again. */
function secondsUp(admission: Admission): number {
  return Math.ceil(waitMs(admission) / 1_000);
}

/** One IPv6 customer has a whole /64 to send from, so that is what counts as one address. */
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
