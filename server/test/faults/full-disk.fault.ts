import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPoster } from '../support/load.ts';
import { startServer } from '../support/process.ts';
import { readStore, transactionNames } from '../support/read-store.ts';

const DISK_BYTES = 24 * 1024 * 1024;
const LEFT_FREE_BYTES = 40 * 1024;
const BURST = 50;
const BURSTS_MAX = 100;

let disk: string;

// A real file system that really runs full: this is why the fault tests need Linux and root.
beforeEach(() => {
  disk = mkdtempSync(path.join(tmpdir(), 'guildbook-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]);
});
afterEach(() => {
  // Lazily, because a failed test may have left a process behind that still uses it.
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
});

test('a full disk refuses posts with 503, keeps serving reads, heals by itself and loses nothing', async () => {
  const file = path.join(disk, 'guildbook.db');
  const poster = await createPoster(file, 200);
  const server = await startServer({ cwd: disk, env: { DATABASE_URL: `sqlite:${file}` } });
  const acknowledged: string[] = [];
  let count = 0;

  async function burst(size: number): Promise<number> {
    let answered = 0;
    for (let sent = 0; sent < size; sent += 1) {
      count += 1;
      const name = `post-${count}`;
      if (await poster.post(server.address, { playerId: `p${count % 50}`, name, amount: 1, quantity: 1 })) {
        acknowledged.push(name);
        answered += 1;
      }
    }
    return answered;
  }

  expect(await burst(100)).toBe(100);
  const filler = path.join(disk, 'filler');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - LEFT_FREE_BYTES));
  // SQLite goes on with the space it has before it asks for more.
  let answered = BURST;
  for (let bursts = 0; bursts < BURSTS_MAX && answered > 0; bursts += 1) {
    answered = await burst(BURST);
  }
  expect(answered).toBe(0);
  expect((await fetch(`${server.address}/commands`)).status).toBe(200);
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);

  rmSync(filler);
  expect(await burst(100)).toBe(100);
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });

  expect(transactionNames(file)).toEqual(acknowledged.sort());
  const checked = readStore(file, (db) => db.prepare('PRAGMA integrity_check').get());
  expect(checked).toEqual({ integrity_check: 'ok' });
});
