import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import { createSealingThread } from '../../src/store/postgres/sealing-thread.ts';
import { aGuild, aPastTransaction, CHANGE } from '../contract/specimens.ts';
import { openOwnStore } from './store.ts';

const ROWS = 300;

/** A ledger that is not sealed, and a thread for it that ends after a time without work. */
async function openThread(idleMs: number) {
  const { store, database } = await openOwnStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const rows = Array.from({ length: ROWS }, () => aPastTransaction(guild, { playerId: 'p' }));
  await store.ledger.import(guild, rows);
  const ends: Promise<unknown>[] = [];
  const note = (worker: Worker) => ends.push(once(worker, 'exit'));
  process.on('worker', note);
  const nowMs = { value: 0 };
  const thread = createSealingThread({
    url: database.url,
    idleMs,
    growHere: async () => ({ damage: 'here' }),
    monotonicMs: () => nowMs.value,
  });
  onTestFinished(async () => {
    await thread.close();
    process.off('worker', note);
  });
  const empty = { size: 0, tiled: 0, frontier: new Uint8Array(), firstNumber: 1 };
  const input = { guildNo: guild.guildNo, ...empty, lastNumber: ROWS, limit: ROWS, recent: [] };
  return { store, database, thread, ends, input, nowMs };
}

it('few transactions are hashed on the main thread', async () => {
  const { thread, ends, input } = await openThread(60_000);
  expect(await thread.growSeal(input, 255)).toEqual({ damage: 'here' });
  expect(ends).toHaveLength(0);
});

it('many are hashed on a thread, which ends when it is idle, and the next ones start another', async () => {
  const { thread, ends, input } = await openThread(20);
  const grown = await thread.growSeal(input, ROWS);
  expect(grown).toMatchObject({ size: ROWS, firstNumber: 1 });
  expect(ends).toHaveLength(1);
  await ends[0];
  expect(await thread.growSeal(input, ROWS)).toEqual(grown);
  expect(ends).toHaveLength(2);
});

it('posts are wanted for thirty seconds after the thread sealed their guild', async () => {
  const { thread, input, nowMs } = await openThread(60_000);
  await thread.growSeal(input, 255);
  expect(thread.isWanted(input.guildNo)).toBe(false);
  await thread.growSeal(input, ROWS);
  nowMs.value = 29_999;
  expect(thread.isWanted(input.guildNo)).toBe(true);
  nowMs.value = 30_000;
  expect(thread.isWanted(input.guildNo)).toBe(false);
  await thread.growSeal(input, ROWS);
  await thread.close();
  expect(thread.isWanted(input.guildNo)).toBe(false);
});

it('after a failure the same thread answers the next request', async () => {
  const { thread, ends, input } = await openThread(60_000);
  // PostgreSQL refuses this number.
  await expect(thread.growSeal({ ...input, guildNo: Number.NaN }, ROWS)).rejects.toBeInstanceOf(DomainError);
  expect(await thread.growSeal(input, ROWS)).toMatchObject({ size: ROWS });
  expect(ends).toHaveLength(1);
});

it('a database that is gone is an outage, and so is a closed thread', async () => {
  const { store, database, thread, ends, input } = await openThread(60_000);
  await store.close();
  await database.remove();
  for (let round = 0; round < 2; round += 1) {
    await expect(thread.growSeal(input, ROWS)).rejects.toMatchObject({ code: 'store_unavailable' });
  }
  expect(ends).toHaveLength(1);
  await thread.close();
  await expect(thread.growSeal(input, ROWS)).rejects.toMatchObject({ code: 'store_unavailable' });
});
