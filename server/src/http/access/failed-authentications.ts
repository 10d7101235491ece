import { DomainError } from '../../domain/errors.ts';
import { continueWith, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Clock, RateBucket } from '../../domain/ports.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { HttpRequest } from '../request.ts';
import { type LimitParts, networkOf, retryAfterSeconds } from './rate-limit.ts';

/** Failed authentications per address. Further ones get `authentication_throttled`; known keys are not affected. */
const FAILURES: RateBucket = { name: 'failed-authentication', limit: 100, windowMs: 60_000 };
/** How many credentials of a throttled address are still looked up in the store, so that a valid one can succeed. */
const LOOK_UPS: RateBucket = { name: 'throttled-look-up', limit: 5, windowMs: 1_000 };
/** Throttled addresses in memory. The oldest are dropped first; their next credential is looked up again. */
const ADDRESSES_MAX = 10_000;

/** Throttles addresses that keep sending invalid credentials. */
export interface FailedAuthentications {
  /** Refuses a throttled address with too many look-ups. Call it before each look-up in the store. */
  checkLookUp(request: HttpRequest): Promise<void>;
  /** Counts a failure. Beyond the limit it throws `authentication_throttled`. */
  count(request: HttpRequest): MaybePromise<void>;
}

export interface FailedAuthenticationParts extends LimitParts {
  clock: Pick<Clock, 'monotonicMs'>;
  clients: ClientAddresses;
}

export function createFailedAuthentications(parts: FailedAuthenticationParts): FailedAuthentications {
  const { limiter, clock, clients, onRateLimited } = parts;
  const throttledUntilMs = new Map<string, number>();

  function throttle(network: string, resetAfterMs: number): void {
    throttledUntilMs.delete(network);
    throttledUntilMs.set(network, clock.monotonicMs() + resetAfterMs);
    const [oldest] = throttledUntilMs.keys();
    if (throttledUntilMs.size > ADDRESSES_MAX && oldest !== undefined) {
      throttledUntilMs.delete(oldest);
    }
  }

  return {
    async checkLookUp(request) {
      const network = networkOf(clients.addressOf(request.raw));
      const untilMs = throttledUntilMs.get(network);
      if (untilMs === undefined) {
        return;
      }
      if (untilMs <= clock.monotonicMs()) {
        throttledUntilMs.delete(network);
        return;
      }
      const admission = await limiter.admit(LOOK_UPS, network);
      if (!admission.admitted) {
        onRateLimited(FAILURES.name);
        throw new DomainError('authentication_throttled', {
          retryAfterSeconds: retryAfterSeconds(admission),
        });
      }
    },

    count(request) {
      const network = networkOf(clients.addressOf(request.raw));
      return continueWith(limiter.admit(FAILURES, network), (admission) => {
        if (!admission.admitted) {
          throttle(network, admission.resetAfterMs);
          onRateLimited(FAILURES.name);
          throw new DomainError('authentication_throttled', {
            retryAfterSeconds: retryAfterSeconds(admission),
          });
        }
      });
    },
  };
}
