import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { createFolder } from '../support/folder.ts';
import { untilTrue } from '../support/patience.ts';
import { runCommand, startServer } from '../support/process.ts';

const GUILD = '814203957731622912';
const SECRET_KEY = 'a secret key of at least 32 characters'.replaceAll(' ', '-');

/** A folder where command lines can be run on a database of their own. */
async function createPlace() {
  const cwd = createFolder();
  const database = await createDatabase();
  onTestFinished(database.remove);
  const env = { DATABASE_URL: database.url, SECRET_KEY };
  return { cwd, env, database, run: (...args: string[]) => runCommand(args, { cwd, env }) };
}

describe('on PostgreSQL', { timeout: 60_000 }, () => {
  test('guilds, keys, records and transactions are managed, served, exported and verified', async () => {
    const { cwd, env, run } = await createPlace();
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
    const imported = await run('import', 'transactions', 'old.ndjson', '--guild', GUILD, '--strict');
    expect(imported).toMatchObject({ status: 0 });

    const server = await startServer({ cwd, env });
    onTestFinished(() => void server.child.kill('SIGKILL'));
    const body = { playerId: 'p', name: 'Iron', quantity: 1, amount: -2, source: 'shop' };
    let reply: Response | undefined;
    // A machine that is busy may say so once or twice.
    await untilTrue(async () => {
      reply = await fetch(`${server.address}/guild/ledger`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify(body),
      });
      return reply.status !== 503;
    });
    expect([reply?.status, reply?.headers.get('account-balance')]).toEqual([200, '7']);
    await untilTrue(async () => (await fetch(`${server.address}/readyz`)).status === 200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });

    const exported = await run('export', 'transactions', '--guild', GUILD, '--format', 'ndjson');
    const names = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).source);
    expect(names).toEqual(['old', 'old', 'old', 'shop']);
    expect(await run('key', 'delete', id)).toMatchObject({ status: 0 });
    expect(await run('verify')).toMatchObject({ status: 0, stdout: 'Everything is in order.\n' });
  });

  test('migrating tells the steps, or prints them', async () => {
    const cwd = createFolder();
    const database = await createDatabase({ isEmpty: true });
    onTestFinished(database.remove);
    const env = { DATABASE_URL: database.url, SECRET_KEY };
    const printed = await runCommand(['migrate', '--print'], { cwd, env });
    expect(printed.stdout).toContain('CREATE TABLE guild (\n  guild_no bigint');
    expect(printed.stdout).toContain('INSERT INTO schema_migration VALUES (1, ');
    const first = await runCommand(['migrate'], { cwd, env });
    expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining('1 foundation') });
    const again = await runCommand(['migrate'], { cwd, env });
    expect(again.stdout).toBe('The store is up to date.\n');
  });

  test('a store moves from the embedded one with everything in it, once', async () => {
    const { cwd, run, database } = await createPlace();
    const embedded = { cwd, env: { DATABASE_URL: 'sqlite:data/guildbook.db' } };
    await runCommand(['guild', 'set', GUILD, '--name', 'Emberhold', '--plan', 'developer'], embedded);
    const copied = await run('copy', '--from', 'sqlite:data/guildbook.db', '--to', database.url);
    expect(copied).toMatchObject({
      status: 0,
      stdout: 'Copied 2 rows. Counts and balances agree, and the copy was verified.\n',
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

  test.each([
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ])('%s says which tool to use instead', async (name, tool) => {
    const { run } = await createPlace();
    const { status, stderr } = await run(name, 'file.db');
    expect(status).toBe(1);
    expect(stderr).toContain(
      `this is for the embedded store; PostgreSQL brings its own tools, as in\n  ${tool}`,
    );
  });

  test('the demo keeps its hands off', async () => {
    const { run } = await createPlace();
    expect(await run('demo')).toMatchObject({
      status: 1,
      stderr: 'guildbook: the demo makes its samples in the embedded store: leave DATABASE_URL out\n',
    });
  });

  test('a secret key has to be given, and the password of the address is never shown', async () => {
    const cwd = createFolder();
    const env = { DATABASE_URL: 'postgres://clerk:secret-word@127.0.0.1:1/books' };
    const shown = await runCommand(['config'], { cwd, env });
    expect(shown.status).toBe(1);
    expect(shown.stderr).toContain('SECRET_KEY: is needed with PostgreSQL, the same one for every instance');
    const other = await runCommand(['guild', 'list'], { cwd, env: { ...env, SECRET_KEY } });
    expect(other.stderr).toContain('the PostgreSQL database books at 127.0.0.1:1 cannot be used');
    for (const { stdout, stderr } of [shown, other]) {
      expect(stdout + stderr).not.toContain('secret-word');
    }
    expect(shown.stdout).toContain('postgres://clerk:(set)@127.0.0.1:1/books');
  });
});
