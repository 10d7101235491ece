import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeUnwritable } from '../../src/store/sqlite/faults.ts';
import { createWriteHealth } from '../../src/store/sqlite/write-health.ts';
import { domainError } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';

const MEBIBYTE = 1024 * 1024;
const FULL = 'database or disk is full';

/** A real database that SQLite itself calls full, and a disk whose room and clock the test moves. */
function createDisk() {
  const db = new DatabaseSync(path.join(createFolder(), 'small.db'));
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE filler (content BLOB)');
  let [freeBytes, nowMs, writes] = [1_000 * MEBIBYTE, 0, 0];
  const changes: (string | undefined)[] = [];

  /** As the writer thread does: writes, and reports what came of it. */
  function write(): void {
    writes += 1;
    try {
      db.exec('INSERT INTO filler VALUES (zeroblob(20000)); DELETE FROM filler');
      health.note(undefined);
    } catch (error) {
      health.note(describeUnwritable(error));
    }
  }

  const health = createWriteHealth({
    probe: async () => write(),
    freeBytes: () => freeBytes,
    monotonicMs: () => nowMs,
    onChange: (trouble) => changes.push(trouble),
  });
  return {
    health,
    write,
    changes,
    countWrites: () => writes,
    fill() {
      freeBytes = 0;
      db.exec('PRAGMA max_page_count = 2');
    },
    makeRoom(bytes: number) {
      freeBytes = bytes;
      db.exec('PRAGMA max_page_count = 1000000');
    },
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

describe('whether the store can be written', () => {
  it('follows from the last write, and costs no write of its own while there is room', async () => {
    const { health, write, countWrites, changes } = createDisk();
    await health.check();
    write();
    await health.check();
    expect(countWrites()).toBe(1);
    expect(changes).toEqual([]);
  });

  it('is denied after a write that failed, with the reason, and reported once', async () => {
    const { health, write, fill, changes } = createDisk();
    fill();
    write();
    write();
    await expect(health.check()).rejects.toMatchObject({
      ...domainError('store_unavailable'),
      retryAfterSeconds: 5,
      cause: new Error(FULL),
    });
    expect(changes).toEqual([FULL]);
  });

  it('is found out by a write on a disk that another program filled', async () => {
    const { health, fill, countWrites } = createDisk();
    fill();
    await expect(health.check()).rejects.toMatchObject(domainError('store_unavailable'));
    expect(countWrites()).toBe(1);
  });

  it('heals without any other write, and is probed every two seconds at most', async () => {
    const { health, write, fill, makeRoom, pass, countWrites, changes } = createDisk();
    fill();
    write();
    for (let count = 0; count < 5; count += 1) {
      await expect(health.check()).rejects.toThrow();
    }
    expect(countWrites()).toBe(2);
    makeRoom(1_000 * MEBIBYTE);
    pass(2_000);
    await health.check();
    expect(countWrites()).toBe(3);
    await health.check();
    expect(countWrites()).toBe(3);
    expect(changes).toEqual([FULL, undefined]);
  });

  it('is not announced again by a small write that fits into the last kilobytes', async () => {
    const { health, write, fill, makeRoom, pass } = createDisk();
    fill();
    write();
    makeRoom(MEBIBYTE - 1);
    write();
    await expect(health.check()).rejects.toThrow();
    makeRoom(MEBIBYTE);
    pass(2_000);
    await health.check();
  });

  it('is shared by those who ask at once', async () => {
    const { health, fill, write, pass, countWrites } = createDisk();
    fill();
    write();
    pass(2_000);
    await Promise.allSettled([health.check(), health.check(), health.check()]);
    expect(countWrites()).toBe(2);
  });
});
