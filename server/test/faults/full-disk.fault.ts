import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPoster } from '../support/load.ts';
import { startServer } from '../support/process.ts';

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
  execFileSync('umount', [disk]);
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

  const db = new DatabaseSync(file);
  const stored = db.prepare('SELECT name FROM ledger_transaction').all();
  expect(stored.map((row) => row.name).sort()).toEqual(acknowledged.sort());
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  db.close();
});
