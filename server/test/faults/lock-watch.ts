import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const LOOK_EVERY_MS = 20;

/** Table locks that keep others from writing. Those of one statement have the start of its transaction. */
const STRONG = `SELECT l.pid || '/' || l.virtualtransaction || '/' || l.relation AS lock
  FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
  WHERE l.granted AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

/** Looks at the strong locks of a database again and again. Ends with the longest time that one was seen, in milliseconds. */
export function watchLocks(client: pg.Client): { stop(): Promise<number> } {
  const seen = new Map<string, { firstMs: number; lastMs: number }>();
  let isOver = false;

  async function watch(): Promise<void> {
    while (!isOver) {
      const { rows } = await client.query<{ lock: string }>(STRONG);
      const nowMs = performance.now();
      for (const { lock } of rows) {
        const { firstMs } = seen.get(lock) ?? { firstMs: nowMs };
        seen.set(lock, { firstMs, lastMs: nowMs });
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  const watching = watch();
  return {
    async stop() {
      isOver = true;
      await watching;
      return Math.max(0, ...[...seen.values()].map(({ firstMs, lastMs }) => lastMs - firstMs));
    },
  };
}
