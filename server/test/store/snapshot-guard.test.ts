import { statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { aDischarge, aGuild, aTransaction, CHANGE, domainError } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';

const WAL_BYTES_MAX = 2_000_000;
const LOOK_EVERY_MS = 500;

afterEach(() => {
  vi.useRealTimers();
});

async function openStore(readingWalBytesMax?: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const file = path.join(createFolder(), 'guildbook.db');
  const store = await openSqliteStore({
    file,
    ...(readingWalBytesMax !== undefined && { readingWalBytesMax }),
    onFatal(error) {
      throw error;
    },
  });
  onTestFinished(() => store.close());
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const records = Array.from({ length: 300 }, (_, index) => aDischarge(guild, { id: `D-${index}` }));
  await store.discharges.put(guild, records, CHANGE);
  /** Posts until the log is longer than readings may make it. */
  async function growWal(): Promise<void> {
    while (statSync(`${file}-wal`).size <= WAL_BYTES_MAX) {
      await store.ledger.append(aTransaction(guild, { playerId: 'p', name: 'n'.repeat(10_000) }));
    }
  }
  return { store, guild, growWal };
}

const ALL = {
  range: { sinceMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER },
  search: undefined,
  type: undefined,
  sortBy: 'date',
  sortOrder: 'asc',
} as const;

it.each([
  ['here', (store: Store) => store.discharges.read(undefined)],
  ['on another thread', (store: Store, guild: Guild) => store.discharges.readMatching(guild, ALL)],
])(
  'a reading %s that waits for its receiver is ended when the write-ahead log gets too long',
  async (_, read) => {
    const { store, guild, growWal } = await openStore(WAL_BYTES_MAX);
    const reading = read(store, guild)[Symbol.asyncIterator]();
    expect((await reading.next()).done).toBe(false);
    vi.advanceTimersByTime(LOOK_EVERY_MS);
    expect((await reading.next()).done).toBe(false);
    await growWal();
    vi.advanceTimersByTime(LOOK_EVERY_MS);
    await expect(reading.next()).rejects.toMatchObject(domainError('store_unavailable'));
    // Others are as welcome as before.
    expect((await store.discharges.find(await store.guilds.set(aGuild(), CHANGE), 'D-1'))?.id).toBe('D-1');
  },
);

it('a reading of a command line goes on to its end, however long the log gets', async () => {
  const { store, growWal } = await openStore();
  const reading = store.discharges.read(undefined)[Symbol.asyncIterator]();
  await reading.next();
  await growWal();
  vi.advanceTimersByTime(10 * LOOK_EVERY_MS);
  let count = 1;
  while (!(await reading.next()).done) {
    count += 1;
  }
  expect(count).toBe(300);
});

it('records are read on another thread as they were at the beginning, to the last one', async () => {
  const { store, guild } = await openStore(WAL_BYTES_MAX);
  const seen: string[] = [];
  for await (const { id, name } of store.discharges.readMatching(guild, ALL)) {
    seen.push(`${id} ${name}`);
    if (seen.length === 1) {
      await store.discharges.put(guild, [aDischarge(guild, { id: 'D-299', name: 'changed' })], CHANGE);
      await store.discharges.delete(guild, 'D-298', CHANGE);
    }
  }
  expect(seen).toHaveLength(300);
  expect(seen.join()).not.toContain('changed');
});
