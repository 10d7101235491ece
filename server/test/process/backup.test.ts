import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { backUpSqliteFile } from '../../src/store/sqlite/backup.ts';
import { migrateSqliteFile } from '../../src/store/sqlite/migrate.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { createPoster } from '../support/load.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { runCommand, startServer } from '../support/process.ts';
import { openStoreFile, transactionNames } from '../support/read-store.ts';
import { createCommandPlace, pastTransaction, toNdjson } from './command-place.ts';

const POSTS_BEFORE = 200;
const WORKERS = 8;

test(
  'a backup taken while posts pour in holds every post acknowledged before it began, and restores',
  LONG_TEST,
  async () => {
    const cwd = createFolder();
    const file = path.join(cwd, 'data', 'guildbook.db');
    mkdirSync(path.dirname(file));
    const poster = await createPoster(file, 100);
    const run = (...args: string[]) => runCommand(args, { cwd });
    const check = (...args: string[]) => runInShared(args, { cwd });
    const server = await startServer({ cwd });
    const acknowledged: string[] = [];
    let sent = 0;
    let isOver = false;
    const enough = Promise.withResolvers<void>();
    const workers = Array.from({ length: WORKERS }, async () => {
      while (!isOver) {
        sent += 1;
        const name = `post-${sent}`;
        const post = { playerId: `p${sent % 5}`, name, amount: 1, quantity: 1 };
        if (await poster.post(server.address, post)) {
          acknowledged.push(name);
        }
        if (acknowledged.length >= POSTS_BEFORE) {
          enough.resolve();
        }
      }
    });
    await enough.promise;
    const before = [...acknowledged];
    const backedUp = await run('backup', 'backup.db');
    const after = acknowledged.length;
    const verified = await run('verify');
    isOver = true;
    await Promise.all(workers);
    expect(backedUp.status).toBe(0);
    expect(backedUp.stdout).toMatch(
      /^Backup written to backup.db and checked.\nThe backup does not hold the key that encrypts/,
    );
    expect(verified).toMatchObject({ status: 0, stdout: 'Everything is in order.\n' });
    expect(after).toBeGreaterThan(before.length);

    // While it is being served, nothing may take the store's place.
    const refused = await check('restore', 'backup.db', '--force');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(/is in use: stop the service first\n$/);
    server.child.kill('SIGTERM');
    await server.ended;
    expect(transactionNames(file)).toEqual(acknowledged.toSorted());

    const unasked = await check('restore', 'backup.db');
    expect(unasked).toMatchObject({ status: 1, stdout: '' });
    expect(unasked.stderr).toMatch(/exists already: give --force to overwrite it\n$/);
    expect(transactionNames(file)).toHaveLength(acknowledged.length);

    expect(await run('restore', 'backup.db', '--force')).toMatchObject({
      status: 0,
      stdout: `Restored sqlite:${file} from backup.db.\n`,
    });
    expect((await check('verify')).status).toBe(0);
    expect(transactionNames(file)).toEqual(expect.arrayContaining(before));
    const again = await startServer({ cwd });
    const post = { playerId: 'p0', name: 'after', amount: 1, quantity: 1 };
    expect(await poster.post(again.address, post)).toBe(true);
    again.child.kill('SIGTERM');
    expect(await again.ended).toEqual({ status: 0, signal: null });
    expect((await check('verify')).status).toBe(0);
  },
);

test('a large store is copied in one go, however often it is written to meanwhile', async () => {
  const folder = createFolder();
  const source = path.join(folder, 'guildbook.db');
  migrateSqliteFile(source);
  const writer = openStoreFile(source);
  writer.exec(`INSERT INTO guild (guild_no, guild_id, name, plan, overdraft_allowed, created_at)
    VALUES (1, '1', 'One', 'none', 1, 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO discharge SELECT 1, 'd' || i, 'c', 'p', 'n', printf('%.4000c', 'x'), '2026-01-01', '', '', '',
      unixepoch('2026-01-01') * 1000, 'n', 'd' || i || char(10, 112, 10, 99, 10, 110) FROM n;`);
  let looks = 0;
  const { findings } = await backUpSqliteFile({
    source,
    target: path.join(folder, 'backup.db'),
    mayOverwrite: false,
    onProgress() {
      looks += 1;
      // A copy that began anew after each of these would never end.
      if (looks < 100) {
        writer.exec(`UPDATE guild SET name = 'One ${looks}'`);
      }
    },
  });
  writer.close();
  expect(findings).toEqual([]);
  expect(looks).toBeGreaterThan(1);
  expect(looks).toBeLessThan(20);
});

test.each([
  ['verify', []],
  ['copy', ['--from', 'sqlite:data/guildbook.db', '--to', 'sqlite:copy.db']],
])('%s waits for a process that has just locked the store', async (command, options) => {
  const { store, start } = await createCommandPlace();
  // Nobody can read meanwhile, as when a process recovers the log after a crash, or removes it at its end.
  const other = openStoreFile(store);
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT');
  const { child, ended } = start(command, ...options);
  await untilTrue(() => hasOpened(child.pid, store));
  other.close();
  expect(await ended).toMatchObject({ status: 0, stderr: '' });
});

test.each([
  ['backup', ['kept.db'], /^guildbook: stopped: no backup was made, and nothing is left of it\n$/, ['data']],
  [
    'copy',
    ['--from', 'sqlite:data/guildbook.db', '--to', 'sqlite:kept.db'],
    /^guildbook: stopped: \d of 3 rows are copied, .*\n {2}Run the same command again to go on from there/,
    ['data', 'kept.db'],
  ],
])('Ctrl-C in %s says what is left', async (command, options, message, left) => {
  const { cwd, store, start } = await createCommandPlace();
  // It cannot come to its end while another process has the store locked.
  const other = openStoreFile(store);
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT');
  const { child, ended } = start(command, ...options);
  await untilTrue(() => hasOpened(child.pid, store));
  child.kill('SIGINT');
  other.close();
  expect(await ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(message) });
  expect(readdirSync(cwd)).toEqual(left);
});

/** True when the process has the file open, and on systems without /proc. */
function hasOpened(pid: number | undefined, file: string): boolean {
  const folder = `/proc/${pid}/fd`;
  const links = existsSync(folder) ? readdirSync(folder) : undefined;
  return links?.some((link) => readLink(path.join(folder, link)) === file) ?? true;
}

/** Undefined for one that is gone already. */
function readLink(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

describe('what is broken', () => {
  test('is refused by verify, backup and restore in plain words, and the store stays as it is', async () => {
    const { cwd, store: file, run, feed } = await createCommandPlace();
    const history = Array.from({ length: 40 }, (_, index) => ({ ...pastTransaction(index), playerId: 'p' }));
    expect((await feed(toNdjson(history), 'import', 'transactions', '-')).status).toBe(0);
    expect((await run('backup', 'good.db')).status).toBe(0);
    const healthy = readFileSync(file);

    const at = (name: string) => path.join(cwd, name);
    copyFileSync(at('good.db'), at('cut.db'));
    truncateSync(at('cut.db'), 40_960);
    writeFileSync(at('text.db'), 'This is no store at all.\n'.repeat(1_000));
    copyFileSync(at('good.db'), at('wrong.db'));
    const db = openStoreFile(at('wrong.db'));
    db.exec('UPDATE account SET balance = balance + 1');
    db.close();
    for (const [name, reason] of [
      ['cut.db', /damaged|not a Guildbook store/],
      ['text.db', /not a Guildbook store/],
      ['wrong.db', /account of player p: its balance is not the sum of its transactions/],
      ['missing.db', /there is no file/],
    ] as const) {
      const result = await run('restore', name, '--force');
      expect(result).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(reason) });
      expect(result.stderr).not.toMatch(/\n\s+at /);
      expect(readFileSync(file).equals(healthy)).toBe(true);
    }

    copyFileSync(at('wrong.db'), file);
    for (const args of [['verify'], ['backup', 'never.db']]) {
      const result = await run(...args);
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toContain('its balance is not the sum of its transactions');
    }
    copyFileSync(at('cut.db'), file);
    const damaged = await run('verify');
    expect(damaged).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^guildbook: .*damaged/s),
    });
    expect(damaged.stderr).not.toMatch(/\n\s+at /);
  });

  test('or not there is said so', async () => {
    const cwd = createFolder();
    for (const args of [['verify'], ['backup', 'b.db'], ['restore', 'b.db']]) {
      const result = await runInShared(args, { cwd });
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toMatch(/^guildbook: there is no (?:file|store at) .*\.db\n/);
    }
  });
});
