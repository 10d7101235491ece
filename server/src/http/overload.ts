import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain/errors.ts';

/** Longer than this the event loop may not be held up. */
export const EVENT_LOOP_DELAY_MAX_MS = 1_000;

class Overloaded extends DomainError {
  constructor() {
    super('overloaded', { retryAfterSeconds: 2 });
  }
}

/** Lets the scope refuse requests before work begins while the event loop is held up. Tells whether it does. */
export async function addOverloadGuard(
  scope: FastifyInstance,
  maxEventLoopDelay: number,
): Promise<() => boolean> {
  await scope.register(underPressure, { maxEventLoopDelay, customError: Overloaded });
  return () => scope.isUnderPressure();
}

/**
 * A start that took long looks like overload for a moment, and requests are refused meanwhile. So a service is ready only
 * once it has been calm. Later on overload does not count: whoever is refused for it is told to come back, while an
 * instance taken out of service would leave its work to the others.
 */
export function createReadyCheck(
  checkReady: () => Promise<void>,
  isOverloaded: () => boolean,
): () => Promise<void> {
  let hasBeenCalm = false;
  return async () => {
    await checkReady();
    hasBeenCalm ||= !isOverloaded();
    if (!hasBeenCalm) {
      throw new Overloaded();
    }
  };
}
