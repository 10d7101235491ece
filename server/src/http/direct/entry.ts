import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { requireScope } from '../../domain/api-keys.ts';
import type { Principal } from '../../domain/model.ts';
import type { Endpoint } from '../endpoint.ts';
import { rateHeaders } from '../guard.ts';
import type { DirectParts } from './parts.ts';

/** Somebody who may go on, and what they are told of their limit: names and values in turn. */
export interface Entry {
  principal: Principal;
  headers: string[];
}

/**
 * The checks before an answer, in their fixed order: key, scope, rate limit. Undefined for those who fail one. None of
 * them has had an effect then, since being refused does not count: the long way checks again and tells them why.
 */
export function createEntry(
  { scope, bucket }: Pick<Endpoint, 'scope' | 'bucket'>,
  { keys, limiter }: DirectParts,
): (request: IncomingMessage) => Promise<Entry | undefined> {
  return async ({ headers }) => {
    try {
      const value = keyOf(headers);
      const principal = keys.recognise(value) ?? (await keys.authenticate(value));
      if (scope !== undefined) {
        requireScope(principal, scope);
      }
      if (bucket === undefined) {
        return { principal, headers: [] };
      }
      const admission = await limiter.admit(bucket, principal.keyId);
      return admission.admitted ? { principal, headers: rateHeaders(bucket, admission) } : undefined;
    } catch {
      return undefined;
    }
  };
}

export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-api-key'];
  return typeof value === 'string' ? value : undefined;
}
