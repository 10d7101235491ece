import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { createReaderThreads } from '../../src/store/sqlite/reader-threads.ts';
import { aDischarge, aGuild, aQuery, aTransaction, CHANGE } from '../contract/specimens.ts';
import { openTestStore } from '../support/open-store.ts';

const RECORDS = 120;
const FILTER = {
  range: { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER },
  sortBy: 'date',
  sortOrder: 'asc',
  type: undefined,
  search: undefined,
} as const;

/** Reader threads that end after so long without a question, and those of them that were started, each with its end. */
async function openReaders(idleMs: number) {
  const { store, file } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await store.ledger.append(aTransaction(guild, { playerId: 'p' }));
  const records = Array.from({ length: RECORDS }, (_, index) => aDischarge(guild, { id: `D-${index}` }));
  await store.discharges.put(guild, records, CHANGE);
  const ends: Promise<unknown>[] = [];
  const note = (worker: Worker) => ends.push(once(worker, 'exit'));
  process.on('worker', note);
  const readers = createReaderThreads({
    file,
    idleMs,
    truncateWal: async () => {},
    onFatal(error) {
      throw error;
    },
  });
  onTestFinished(async () => {
    await readers.close();
    process.off('worker', note);
  });
  const account = { guildNo: guild.guildNo, accountNo: 1, count: 1 };
  const query = aQuery({ sortBy: 'amount' });
  return {
    readers,
    ends,
    list: (rows = 1) => readers.read('listTransactions', { account, query }, rows),
    guildNo: guild.guildNo,
    order: { table: 'discharge', guild, filter: FILTER } as const,
  };
}

it('a thread that is asked nothing any more ends, and the next question starts another', async () => {
  const { ends, list } = await openReaders(20);
  const before = await list();
  expect(before.total).toBe(1);
  expect(ends).toHaveLength(1);
  await ends[0];
  expect(await list()).toEqual(before);
  expect(ends).toHaveLength(2);
  await ends[1];
});

it('a thread that is asked again in time goes on', async () => {
  const { ends, list } = await openReaders(60_000);
  for (let round = 0; round < 5; round += 1) {
    await list();
  }
  expect(ends).toHaveLength(1);
  await list(100_000);
  expect(ends).toHaveLength(2);
});

it('questions that come while a thread ends are answered by the next one', async () => {
  const { list } = await openReaders(0);
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all([list(), list(), list(100_000)]);
    expect(answers.map(({ total }) => total)).toEqual([1, 1, 1]);
    // Long enough for a timer of nothing, so that some rounds begin in the middle of an end.
    await new Promise((resolve) => setTimeout(resolve, round % 3));
  }
});

it('a thread does not end while a reading of records is open in it, however long its next question takes', async () => {
  const { readers, ends, order, guildNo } = await openReaders(5);
  await readers.readExport('openRecords', { reading: 1, ...order });
  let isOver = false;
  void ends[0]?.then(() => {
    isOver = true;
  });
  const seen: string[] = [];
  for (let hasEnded = false; !hasEnded; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const range = await readers.readExport('nextRecords', { reading: 1, guildNo });
    seen.push(...range.records.map(({ id }) => id));
    hasEnded = range.hasEnded;
  }
  expect(new Set(seen).size).toBe(RECORDS);
  expect(isOver).toBe(false);
  expect(ends).toHaveLength(1);
  await readers.readExport('closeRecords', { reading: 1, guildNo });
  await ends[0];
});

it('a reading that was refused keeps no thread', async () => {
  const { readers, ends, order, guildNo } = await openReaders(5);
  const many = Array.from({ length: 32 }, (_, reading) => reading);
  for (const reading of many) {
    await readers.readExport('openRecords', { reading, ...order });
  }
  await expect(readers.readExport('openRecords', { reading: 99, ...order })).rejects.toMatchObject({
    code: 'overloaded',
  });
  for (const reading of many) {
    await readers.readExport('closeRecords', { reading, guildNo });
  }
  await ends[0];
  expect(ends).toHaveLength(1);
});

it('closing waits for a thread that is about to end, and a closed one is not asked', async () => {
  const { readers, ends, list } = await openReaders(0);
  await list();
  let ended = 0;
  for (const end of ends) {
    void end.then(() => {
      ended += 1;
    });
  }
  // The timer of nothing has begun to end the thread by then.
  await new Promise((resolve) => setTimeout(resolve, 2));
  await readers.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(1);
  await expect(list()).rejects.toMatchObject({ code: 'store_unavailable' });
});

it('a guild with many exports leaves another its turns', async () => {
  const { readers, guildNo } = await openReaders(60_000);
  const answered: number[] = [];
  const ask = async (ofGuildNo: number) => {
    await readers.readExport('exportBounds', { guildNo: ofGuildNo });
    answered.push(ofGuildNo);
  };
  const other = guildNo + 1;
  await Promise.all([...Array.from({ length: 10 }, () => ask(guildNo)), ask(other)]);
  expect(answered).toHaveLength(11);
  // The range under way, and one that waits in line, come before it.
  expect(answered.indexOf(other)).toBeLessThanOrEqual(2);
});
