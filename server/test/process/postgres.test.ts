import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { runCommand, startServer } from '../support/process.ts';

const GUILD = '814203957731622912';
const SECRET_KEY = 'a secret key of at least 32 characters'.replaceAll(' ', '-');

/** A folder where command lines can be run on a database of their own. */
async function createPlace() {
  const cwd = createFolder();
  const database = await createDatabase();
  onTestFinished(database.remove);
  const env = { DATABASE_URL: database.url, SECRET_KEY };
  const run = (...args: string[]) => runInShared(args, { cwd, env });
  /** In a process of its own, which has to end by itself although it had connections to the database. */
  const runAlone = (...args: string[]) => runCommand(args, { cwd, env });
  return { cwd, env, database, run, runAlone };
}

describe('on PostgreSQL', () => {
  test('guilds, keys, records and transactions are managed, served, exported and verified', async () => {
    const { cwd, env, run, runAlone } = await createPlace();
    await run('guild', 'set', GUILD, '--name', 'Emberhold', '--plan', 'developer');
    const made = await run(
      ...['key', 'create', '--guild', GUILD, '--name', 'bot', '--expires', '90d', '--json'],
      ...['--scopes', 'guild:read,guild:write'],
    );
    const { key, id } = JSON.parse(made.stdout);
    const lines = [1, 2, 3].map((n) =>
      JSON.stringify({
        transactionId: `018f0000-0000-7000-8000-00000000000${n}`,
        playerId: 'p',
        name: 'Iron',
        quantity: n,
        amount: 1.5,
        source: 'old',
        createdAt: `2026-01-0${n}T00:00:00.000Z`,
      }),
    );
    writeFileSync(path.join(cwd, 'old.ndjson'), lines.join('\n'));
    const imported = await runAlone('import', 'transactions', 'old.ndjson', '--guild', GUILD, '--strict');
    expect(imported).toMatchObject({ status: 0 });

    const server = await startServer({ cwd, env });
    const body = { playerId: 'p', name: 'Iron', quantity: 1, amount: -2, source: 'shop' };
    const reply = await server.ask('/guild/ledger', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'once' },
      body: JSON.stringify(body),
    });
    expect([reply.status, reply.headers.get('account-balance')]).toEqual([200, '7']);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });

    const exported = await runAlone('export', 'transactions', '--guild', GUILD, '--format', 'ndjson');
    const names = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).source);
    expect(names).toEqual(['old', 'old', 'old', 'shop']);
    expect(await run('key', 'delete', id)).toMatchObject({ status: 0 });
    expect(await runAlone('verify')).toMatchObject({ status: 0, stdout: 'Everything is in order.\n' });
  });

  test('migrating makes a store in an empty database and says so, or prints the steps', async () => {
    const cwd = createFolder();
    const database = await createDatabase({ isEmpty: true });
    onTestFinished(database.remove);
    const env = { DATABASE_URL: database.url, SECRET_KEY };
    const printed = await runInShared(['migrate', '--print'], { cwd, env });
    expect(printed.stdout).toContain('CREATE TABLE guild (\n  guild_no bigint');
    expect(printed.stdout).toContain('INSERT INTO schema_migration VALUES (1, ');
    const first = await runCommand(['migrate'], { cwd, env });
    expect(first).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Made a new store with schema version \d+\.\n$/),
    });
    const again = await runInShared(['migrate'], { cwd, env });
    expect(again.stdout).toBe('The store is up to date.\n');
  });

  test('a store moves from the embedded one with everything in it, once', async () => {
    const { cwd, run, runAlone, database } = await createPlace();
    const embedded = { cwd, env: { DATABASE_URL: 'sqlite:data/guildbook.db' } };
    await runInShared(['guild', 'set', GUILD, '--name', 'Emberhold', '--plan', 'developer'], embedded);
    const copied = await runAlone('copy', '--from', 'sqlite:data/guildbook.db', '--to', database.url);
    expect(copied).toMatchObject({
      status: 0,
      stdout: 'Copied 3 rows. Counts and balances agree, and the copy was verified.\n',
    });
    const [guild] = JSON.parse((await run('guild', 'list', '--json')).stdout);
    expect(guild).toMatchObject({ guildId: GUILD, name: 'Emberhold', plan: 'developer' });
    const again = await run('copy', '--from', 'sqlite:data/guildbook.db', '--to', database.url);
    expect(again).toMatchObject({
      status: 1,
      stderr: 'guildbook: the target has data of its own: copy into an empty store\n',
    });
    expect(await run('copy', '--from', 'mysql://x/y', '--to', database.url)).toMatchObject({ status: 2 });
  });

  test('backup and restore say which tool to use instead, and the demo keeps its hands off', async () => {
    const { run } = await createPlace();
    for (const [name, tool] of [
      ['backup', 'pg_dump'],
      ['restore', 'pg_restore'],
    ] as const) {
      const { status, stderr } = await run(name, 'file.db');
      expect(status).toBe(1);
      expect(stderr).toContain(
        `this is for the embedded store; PostgreSQL brings its own tools, as in\n  ${tool}`,
      );
    }
    expect(await run('demo')).toMatchObject({
      status: 1,
      stderr: 'guildbook: the demo makes its samples in the embedded store: leave DATABASE_URL out\n',
    });
  });

  test('a secret key has to be given, and the password of the address is never shown', async () => {
    const cwd = createFolder();
    const env = { DATABASE_URL: 'postgres://clerk:secret-word@127.0.0.1:1/books' };
    const shown = await runInShared(['config'], { cwd, env });
    expect(shown.status).toBe(1);
    expect(shown.stderr).toContain('SECRET_KEY: is needed with PostgreSQL, the same one for every instance');
    const other = await runInShared(['guild', 'list'], { cwd, env: { ...env, SECRET_KEY } });
    expect(other.stderr).toContain('the PostgreSQL database books at 127.0.0.1:1 cannot be used');
    for (const { stdout, stderr } of [shown, other]) {
      expect(stdout + stderr).not.toContain('secret-word');
    }
    expect(shown.stdout).toContain('postgres://clerk:(set)@127.0.0.1:1/books');
  });
});
