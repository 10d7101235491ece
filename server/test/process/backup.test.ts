import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { backUpSqliteFile } from '../../src/store/sqlite/backup.ts';
import { migrateSqliteFile } from '../../src/store/sqlite/open.ts';
import { createFolder } from '../support/folder.ts';
import { createPoster } from '../support/load.ts';
import { runCommand, startServer } from '../support/process.ts';

const POSTS_BEFORE = 200;
const WORKERS = 8;

/** A folder with a store that has some posts in it. */
async function createPlace(posts: number) {
  const cwd = createFolder();
  const file = path.join(cwd, 'data', 'guildbook.db');
  mkdirSync(path.dirname(file));
  const poster = await createPoster(file, 100);
  const run = (...args: string[]) => runCommand(args, { cwd });
  if (posts > 0) {
    const server = await startServer({ cwd });
    await Promise.all(
      Array.from({ length: posts }, (_, index) =>
        poster.post(server.address, { playerId: 'p', name: `post-${index}`, amount: 1, quantity: 1 }),
      ),
    );
    server.child.kill('SIGTERM');
    await server.ended;
  }
  return { cwd, file, poster, run };
}

function namesIn(file: string): Set<unknown> {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT name FROM ledger_transaction').all();
  db.close();
  return new Set(rows.map((row) => row.name));
}

test('a backup taken while posts pour in holds every post acknowledged before it began, and restores', {
  timeout: 60_000,
}, async () => {
  const { cwd, file, poster, run } = await createPlace(0);
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
  expect(backedUp).toMatchObject({ status: 0, stdout: 'Backup written to backup.db and checked.\n' });
  expect(verified).toMatchObject({ status: 0, stdout: 'Everything is in order.\n' });
  expect(after).toBeGreaterThan(before.length);

  // While it is being served, nothing may take the store's place.
  const refused = await run('restore', 'backup.db', '--force');
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toMatch(/is in use: stop the service first\n$/);
  server.child.kill('SIGTERM');
  await server.ended;
  expect([...namesIn(file)].sort()).toEqual(acknowledged.toSorted());

  const unasked = await run('restore', 'backup.db');
  expect(unasked).toMatchObject({ status: 1, stdout: '' });
  expect(unasked.stderr).toMatch(/exists already: give --force to overwrite it\n$/);
  expect(namesIn(file).size).toBe(acknowledged.length);

  expect(await run('restore', 'backup.db', '--force')).toMatchObject({
    status: 0,
    stdout: 'Restored from backup.db.\n',
  });
  expect((await run('verify')).status).toBe(0);
  expect([...namesIn(file)]).toEqual(expect.arrayContaining(before));
  const again = await startServer({ cwd });
  const post = { playerId: 'p0', name: 'after', amount: 1, quantity: 1 };
  expect(await poster.post(again.address, post)).toBe(true);
  again.child.kill('SIGTERM');
  expect(await again.ended).toEqual({ status: 0, signal: null });
  expect((await run('verify')).status).toBe(0);
});

test('a large store is copied in one go, however often it is written to meanwhile', async () => {
  const folder = createFolder();
  const source = path.join(folder, 'guildbook.db');
  migrateSqliteFile(source);
  const writer = new DatabaseSync(source);
  writer.exec(`INSERT INTO guild (guild_no, guild_id, name, plan, overdraft_allowed, created_at)
    VALUES (1, '1', 'One', 'none', 1, 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
    INSERT INTO discharge SELECT 1, 'd' || i, 'c', 'p', 'n', printf('%.4000c', 'x'), '2026-01-01', '', '', '',
      unixepoch('2026-01-01') * 1000, 'n', 'd' || i || char(10, 112, 10, 99, 10, 110) FROM n;`);
  let looks = 0;
  const findings = await backUpSqliteFile({
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

describe('what is broken', () => {
  test('is refused by verify, backup and restore in plain words, and the store stays as it is', {
    timeout: 60_000,
  }, async () => {
    const { cwd, file, run } = await createPlace(40);
    expect((await run('backup', 'good.db')).status).toBe(0);
    const healthy = readFileSync(file);

    const at = (name: string) => path.join(cwd, name);
    copyFileSync(at('good.db'), at('cut.db'));
    truncateSync(at('cut.db'), 40_960);
    writeFileSync(at('text.db'), 'This is no store at all.\n'.repeat(1_000));
    copyFileSync(at('good.db'), at('wrong.db'));
    const db = new DatabaseSync(at('wrong.db'));
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
      const result = await runCommand(args, { cwd });
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toMatch(/^guildbook: there is no file .*\.db\n$/);
    }
  });
});
