import { setTimeout as pause } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock, IdSource, Store } from '../domain/ports.ts';
import { createRetention } from '../domain/retention/retention.ts';

/** How often an instance looks whether the daily run is due. */
const LOOK_EVERY_MS = 10 * 60_000;

export interface RetentionEnvironment {
  clock: Clock;
  ids: IdSource;
  logger: BaseLogger;
  /** How often to look whether a run is due, if not the default. */
  retentionLookMs?: number | undefined;
}

/** Removes expired rows once a day, in the background. */
export function startRetention(
  config: Config,
  { clock, ids, logger, retentionLookMs = LOOK_EVERY_MS }: RetentionEnvironment,
  store: Store,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const retention = createRetention({
    store,
    clock,
    days: config,
    nameRun: ids.uuid,
    // Ends early when the service stops.
    pause: (durationMs) => pause(durationMs, undefined, { signal, ref: false }).catch(() => {}),
  });

  async function look(): Promise<void> {
    try {
      const removed = await retention.run(signal);
      if (removed !== undefined) {
        logger.info(removed, 'expired rows removed');
      }
    } catch (error) {
      logger.warn({ err: error }, 'expired rows not removed: the next look tries again');
    }
  }

  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => (signal.aborted ? undefined : look()));
  }, retentionLookMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
