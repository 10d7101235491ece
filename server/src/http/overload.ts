import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain/errors.ts';

/** The event loop must not be blocked for longer than this. */
export const EVENT_LOOP_DELAY_MAX_MS = 1_000;

class Overloaded extends DomainError {
  constructor() {
    super('overloaded', { retryAfterSeconds: 2 });
  }
}

/** Tells whether the event loop is blocked for longer than requests should have to wait. */
export async function watchOverload(app: FastifyInstance, maxEventLoopDelay: number): Promise<() => boolean> {
  let isUnderPressure = () => false;
  // In a scope without routes, because the plugin would add a hook to each of them.
  await app.register(async (scope) => {
    await scope.register(underPressure, { maxEventLoopDelay });
    isUnderPressure = () => scope.isUnderPressure();
  });
  await app.after();
  return () => isUnderPressure();
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
