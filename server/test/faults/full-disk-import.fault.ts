import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GUILD_ID, history } from '../process/command-place.ts';
import { runCommand } from '../support/process.ts';
import { countRows } from '../support/read-store.ts';

const DISK_BYTES = 24 * 1024 * 1024;
const LEFT_FREE_BYTES = 1024 * 1024;
const LINES = 20_000;
/** Records that are written with one commit. */
const BATCH = 500;

let disk: string;
let elsewhere: string;

// A real file system that really runs full: this is why the fault tests need Linux and root.
beforeEach(() => {
  disk = mkdtempSync(path.join(tmpdir(), 'guildbook-disk-'));
  elsewhere = mkdtempSync(path.join(tmpdir(), 'guildbook-test-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]);
});
afterEach(() => {
  // Lazily, because a failed test may have left a process behind that still uses it.
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
  rmSync(elsewhere, { recursive: true });
});

const run = (...args: string[]) =>
  runCommand(args, { cwd: elsewhere, env: { DATABASE_URL: `sqlite:${path.join(disk, 'guildbook.db')}` } });

function fillDisk(): string {
  const filler = path.join(disk, 'filler');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - LEFT_FREE_BYTES));
  return filler;
}

const countTransactions = () => countRows(path.join(disk, 'guildbook.db'), 'ledger_transaction');

test('an import on a disk that runs full fails in words, keeps what it committed, and is completed later', async () => {
  await run('guild', 'set', GUILD_ID, '--name', 'Emberhold');
  writeFileSync(path.join(elsewhere, 'h.ndjson'), history(LINES));
  const filler = fillDisk();
  const failed = await run('import', 'transactions', 'h.ndjson');
  expect(failed).toMatchObject({ status: 1, stdout: '' });
  expect(failed.stderr).not.toMatch(/\n\s+at /);
  rmSync(filler);
  const stored = countTransactions();
  expect(stored).toBeLessThan(LINES);
  expect(stored % BATCH).toBe(0);
  expect((await run('verify')).status).toBe(0);
  expect((await run('import', 'transactions', 'h.ndjson')).status).toBe(0);
  expect(countTransactions()).toBe(LINES);
});

test('an export or a backup onto a full disk fails in words and leaves nothing half done', async () => {
  await run('guild', 'set', GUILD_ID, '--name', 'Emberhold');
  writeFileSync(path.join(elsewhere, 'h.ndjson'), history(LINES));
  expect((await run('import', 'transactions', 'h.ndjson')).status).toBe(0);
  const [csv, backup] = [path.join(disk, 'out.csv'), path.join(disk, 'backup.db')];
  writeFileSync(csv, 'the export of yesterday');
  fillDisk();
  for (const args of [
    ['export', 'transactions', '--force', '--out', csv],
    ['backup', backup],
  ]) {
    const result = await run(...args);
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).not.toMatch(/\n\s+at /);
  }
  expect(readFileSync(csv, 'utf8')).toBe('the export of yesterday');
  expect(existsSync(backup)).toBe(false);
  expect(existsSync(`${csv}.unfinished`) || existsSync(`${backup}.unfinished`)).toBe(false);
  expect((await run('verify')).status).toBe(0);
});
