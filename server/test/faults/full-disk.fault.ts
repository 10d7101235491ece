import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPoster } from '../support/load.ts';
import { seriesOf } from '../support/metrics.ts';
import { untilTrue } from '../support/patience.ts';
import { type ServerProcess, startServer } from '../support/process.ts';
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

test('a full disk refuses posts with 503, is not ready, keeps serving reads, heals by itself and loses nothing', async () => {
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
  fillDisk(filler, LEFT_FREE_BYTES);
  // SQLite first uses the space that its files already have.
  let answered = BURST;
  for (let bursts = 0; bursts < BURSTS_MAX && answered > 0; bursts += 1) {
    answered = await burst(BURST);
  }
  expect(answered).toBe(0);
  expect((await fetch(`${server.address}/commands`)).status).toBe(200);
  expect((await readiness(server.address)).status).toBe(503);
  expect(await writableSeries(server)).toBe(0);
  await untilTrue(() => countLines(server.output, 'the store cannot be written') === 1);

  rmSync(filler);
  // Nothing is posted before: the service finds out by itself.
  await untilTrue(async () => (await readiness(server.address)).status === 200);
  await untilTrue(() => countLines(server.output, 'the store can be written again') === 1);
  await untilTrue(async () => (await writableSeries(server)) === 1);
  expect(await burst(100)).toBe(100);
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });

  expect(transactionNames(file)).toEqual(acknowledged.sort());
  const checked = readStore(file, (db) => db.prepare('PRAGMA integrity_check').get());
  expect(checked).toEqual({ integrity_check: 'ok' });
});

test('a service that writes nothing by itself is not ready once another program has filled the disk', async () => {
  const file = path.join(disk, 'guildbook.db');
  const server = await startServer({ cwd: disk, env: { DATABASE_URL: `sqlite:${file}` } });
  const filler = path.join(disk, 'filler');
  expect((await readiness(server.address)).status).toBe(200);
  fillDisk(filler, 0);
  // The first writes may still fit into the store's log.
  await untilTrue(async () => (await readiness(server.address)).status === 503);
  expect((await fetch(`${server.address}/commands`)).status).toBe(200);
  rmSync(filler);
  await untilTrue(async () => (await readiness(server.address)).status === 200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });
});

const readiness = (address: string) => fetch(`${address}/readyz`);

async function writableSeries(server: ServerProcess): Promise<number | undefined> {
  return seriesOf(await server.readMetrics(), 'guildbook_store_writable');
}

const countLines = (lines: readonly string[], text: string) =>
  lines.filter((line) => line.includes(text)).length;

/** Leaves this much room, in bytes. */
function fillDisk(filler: string, leftBytes: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - leftBytes));
}
