import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemIds } from '../../server/src/compose.ts';
import type { Guild } from '../../server/src/domain/model.ts';
import type { Store } from '../../server/src/domain/ports.ts';

const WORKERS = 64;
const PLAYERS = 500;
const SAMPLE_MS = 20;

/** Posts with many workers for a time. Returns posts a second. */
export async function runPosts(store: Store, guild: Guild, durationMs: number): Promise<number> {
  const beganMs = performance.now();
  let count = 0;
  const work = async () => {
    while (performance.now() - beganMs < durationMs) {
      count += 1;
      await postOne(store, guild, count);
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

export async function untilSealed(store: Store, guild: Guild): Promise<void> {
  for (;;) {
    const { log, lastNumber } = await store.seals.state(guild);
    if ((log?.size ?? 0) === lastNumber) {
      return;
    }
    await wait(SAMPLE_MS);
  }
}
