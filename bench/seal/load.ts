import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemIds } from '../../server/src/compose.ts';
import type { Guild } from '../../server/src/domain/model.ts';
import type { Store } from '../../server/src/domain/ports.ts';

const WORKERS = 64;
const PLAYERS = 500;
const PAGE = 20;
const SAMPLE_MS = 100;

export type Load = 'posts' | 'mixed';

/** Sends requests with many workers for a time. Returns requests a second. In the mixed load every second one reads a page. */
export async function runLoad(
  store: Store,
  guild: Guild,
  { load, durationMs }: { load: Load; durationMs: number },
): Promise<number> {
  const beganMs = performance.now();
  let count = 0;
  const work = async () => {
    while (performance.now() - beganMs < durationMs) {
      count += 1;
      await (load === 'mixed' && count % 2 === 0
        ? readOne(store, guild, count)
        : postOne(store, guild, count));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return (count * 1_000) / (performance.now() - beganMs);
}

async function postOne(store: Store, guild: Guild, count: number): Promise<void> {
  await store.ledger.append({
    transactionId: systemIds.uuid(),
    guild,
    playerId: `player ${count % PLAYERS}`,
    name: 'Iron Ingot',
    source: 'bench',
    amountUnits: 10_000,
    quantity: 1,
    totalUnits: 10_000,
    createdAtMs: systemClock.nowMs(),
    keyNo: undefined,
    idempotency: undefined,
  });
}

async function readOne(store: Store, guild: Guild, count: number): Promise<void> {
  await store.entries.feed(guild, { after: count % 1_000, limit: PAGE });
}

export async function untilSealed(store: Store, guild: Guild): Promise<void> {
  for (;;) {
    const { log, lastNumber } = await store.seals.state(guild);
    if ((log?.size ?? 0) === lastNumber) {
      return;
    }
    await wait(SAMPLE_MS / 5);
  }
}

/** Watches how long the last number waits until it is sealed. */
export function watchLag(store: Store, guild: Guild): () => number {
  let seen: { number: number; atMs: number }[] = [];
  let worstMs = 0;
  const timer = setInterval(async () => {
    const { log, lastNumber } = await store.seals.state(guild);
    const nowMs = performance.now();
    seen = [...seen.filter(({ number }) => number > (log?.size ?? 0)), { number: lastNumber, atMs: nowMs }];
    const [first] = seen;
    if (first !== undefined && first.number > (log?.size ?? 0)) {
      worstMs = Math.max(worstMs, nowMs - first.atMs);
    }
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return worstMs;
  };
}
