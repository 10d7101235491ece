import { hasScope } from '../../domain/api-keys.ts';
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
): (key: string) => Promise<Entry | undefined> {
  return async (key) => {
    try {
      const principal = keys.recognise(key) ?? (await keys.authenticate(key));
      if (!hasScope(principal, scope)) {
        return undefined;
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
