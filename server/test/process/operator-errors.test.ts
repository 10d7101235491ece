import { chmodSync, chownSync, mkdirSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { KEYS_PER_GUILD_MAX } from '../../src/domain/access/api-keys.ts';
import { createDatabase } from '../postgres/database.ts';
import { createPostgresServer } from '../postgres/server.ts';
import { makeCertificate } from '../support/certificate.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { untilTrue } from '../support/patience.ts';
import { type CommandOptions, runCommand, startServer } from '../support/process.ts';
import { openStoreFile } from '../support/read-store.ts';
import { findSparePort } from '../support/spare-port.ts';
import { createCommandPlace, GUILD_ID } from './command-place.ts';

const SET = ['guild', 'set', '1', '--name', 'One'];

/** Runs a command that has to fail, and returns its two lines: what is wrong, and what to do. */
async function fail(args: readonly string[], options: CommandOptions): Promise<string[]> {
  const run = options.obeysModes === true ? runCommand : runInShared;
  const { status, stdout, stderr } = await run(args, options);
  expect({ status, stdout: stdout.replaceAll(/^\{"level".*\n/gm, '') }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^guildbook: .+\n {2}\S.+\n$/);
  return stderr.trimEnd().split('\n');
}

describe('the place of the store', () => {
  test('that is a folder is refused', async () => {
    const cwd = createFolder();
    mkdirSync(path.join(cwd, 'here'));
    const env = { DATABASE_URL: 'sqlite:here' };
    const [wrong, advice] = await fail(SET, { cwd, env });
    expect(wrong).toBe('guildbook: here is a folder and not a file');
    expect(advice).toBe('  Name a file in it, as in here/guildbook.db.');
  });

  test('that is no regular file is refused', async () => {
    const env = { DATABASE_URL: 'sqlite:/dev/null' };
    expect((await fail(SET, { cwd: createFolder(), env }))[0]).toContain('/dev/null is not a regular file');
  });

  test('in a folder that cannot be written is refused', async () => {
    const cwd = createFolder();
    chmodSync(cwd, 0o500);
    onTestFinished(() => chmodSync(cwd, 0o700));
    const direct = { cwd, obeysModes: true, env: { DATABASE_URL: 'sqlite:guildbook.db' } };
    const [wrong, advice] = await fail(SET, direct);
    expect(wrong).toMatch(
      /the folder .* cannot be written: it belongs to user \d+ with mode 500, and this runs as/,
    );
    expect(advice).toContain('Name another one, or give it to the user that runs this: chown');
    const below = { cwd, obeysModes: true, env: { DATABASE_URL: 'sqlite:data/guildbook.db' } };
    expect((await fail(SET, below))[0]).toMatch(/the folder .*data cannot be made: EACCES/);
  });

  test.each(['sqlite:/proc/none/guildbook.db', 'sqlite:/proc/guildbook.db'])('%s is refused', async (url) => {
    const [wrong] = await fail(SET, { cwd: createFolder(), env: { DATABASE_URL: url } });
    expect(wrong).toMatch(/cannot be made/);
  });

  test('below a file is refused', async () => {
    const cwd = createFolder();
    writeFileSync(path.join(cwd, 'file'), '');
    const [wrong] = await fail(SET, { cwd, env: { DATABASE_URL: 'sqlite:file/guildbook.db' } });
    expect(wrong).toMatch(/file/);
  });
});

describe('a store of another owner', () => {
  test('is refused when it has to be written, or cannot even be read', async () => {
    const { cwd, store } = await createCommandPlace();
    // Root gives it to somebody else; anybody else takes their own right away.
    if (process.getuid?.() === 0) {
      chownSync(store, 65_534, 65_534);
    }
    const options = { cwd, obeysModes: true, env: { PORT: '0' } };
    chmodSync(store, 0o444);
    for (const args of [SET, ['serve'], ['migrate']]) {
      const [wrong, advice] = await fail(args, options);
      expect(wrong).toMatch(/guildbook\.db cannot be read and written: it belongs to user \d+ with mode 444/);
      expect(advice).toContain("Run this as the file's owner");
    }
    // Commands that only read still work.
    expect(await runCommand(['guild', 'list'], options)).toMatchObject({ status: 0, stderr: '' });
    chmodSync(store, 0o000);
    expect((await fail(['guild', 'list'], options))[0]).toMatch(
      /guildbook\.db cannot be read: it belongs to/,
    );
  });
});

describe('a store that was cut short', () => {
  test.each([[['guild', 'list']], [SET], [['serve']]])('is refused by %j', async (args) => {
    const { cwd, store } = await createCommandPlace();
    truncateSync(store, 20_000);
    const [wrong, advice] = await fail(args, { cwd, env: { PORT: '0' } });
    expect(wrong).toMatch(/guildbook\.db is damaged or was cut short: /);
    expect(advice).toContain('npx guildbook restore <backup>');
  });
});

describe('an address to listen on', () => {
  test.each(['192.0.2.1', 'nowhere.invalid'])('that is not of this machine: %s', async (HOST) => {
    const [wrong, advice] = await fail(['serve'], { cwd: createFolder(), env: { HOST, PORT: '0' } });
    expect(wrong).toMatch(/^guildbook: HOST=\S+ is no address of this machine/);
    expect(advice).toContain('0.0.0.0 or ::');
  });
});

describe('a target in a folder that is not there', () => {
  test.each([[['backup', 'nowhere/b.db']], [['export', 'commands', '--out', 'nowhere/c.json']]])(
    'of %j is named',
    async (args) => {
      const { cwd } = await createCommandPlace();
      const [wrong, advice] = await fail(args, { cwd });
      expect(wrong).toBe(`guildbook: there is no folder ${path.join(cwd, 'nowhere')}`);
      expect(advice).toBe(`  Make it first: mkdir -p ${path.join(cwd, 'nowhere')}`);
    },
  );
});

describe('PostgreSQL', () => {
  test('without TLS, where the address asks for it', async () => {
    const database = await createDatabase();
    onTestFinished(database.remove);
    const url = new URL(database.url);
    url.searchParams.set('sslmode', 'verify-full');
    const [wrong, advice] = await fail(SET, { cwd: createFolder(), env: { DATABASE_URL: url.href } });
    expect(wrong).toContain('The server does not support SSL connections');
    expect(advice).toContain('Turn TLS on at the server');
  });

  test('whose certificate nobody known has signed; once it is named, the database is used', async () => {
    const folder = createFolder();
    const { certificate, key } = makeCertificate(folder);
    const port = await findSparePort();
    const server = await createPostgresServer({ port, tls: { certificate, key } });
    onTestFinished(server.remove);
    const url = new URL(`postgres://guildbook@localhost:${port}/postgres?sslmode=verify-full`);
    const [wrong, advice] = await fail(SET, { cwd: folder, env: { DATABASE_URL: url.href } });
    expect(wrong).toMatch(/postgres at localhost:\d+ cannot be used: .*self-signed certificate/);
    expect(advice).toContain('Name the authority that signed its certificate: sslrootcert=');
    url.searchParams.set('sslrootcert', certificate);
    const { status, stderr } = await runInShared(SET, { cwd: folder, env: { DATABASE_URL: url.href } });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('certificate')]);
  });

  test('whose role may not make tables', async () => {
    const database = await createDatabase({ isEmpty: true });
    const role = `clerk_${database.name}`;
    await database.query(`CREATE ROLE ${role} LOGIN`);
    onTestFinished(async () => {
      await database.query(`DROP ROLE ${role}`);
      await database.remove();
    });
    const url = new URL(database.url);
    url.username = role;
    const [wrong, advice] = await fail(['migrate'], { cwd: createFolder(), env: { DATABASE_URL: url.href } });
    expect(wrong).toContain('permission denied for schema public');
    expect(advice).toContain(`GRANT USAGE, CREATE ON SCHEMA public TO ${role}`);
  });

  test.each([
    ['a database that is not there', (url: URL) => (url.pathname = '/not_there'), 'createdb'],
    ['a port where nobody listens', (url: URL) => (url.port = '1'), 'whether the server is running'],
  ])('%s', async (_name, change, advice) => {
    const database = await createDatabase();
    onTestFinished(database.remove);
    const url = new URL(database.url);
    change(url);
    const lines = await fail(SET, { cwd: createFolder(), env: { DATABASE_URL: url.href } });
    expect(lines[1]).toContain(advice);
  });
});

describe('a served store', () => {
  test('whose file was moved away is not ready until it is back', async () => {
    const { cwd, store } = await createCommandPlace();
    const server = await startServer({ cwd });
    renameSync(store, `${store}.moved`);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(503);
    writeFileSync(store, 'another file');
    expect((await fetch(`${server.address}/readyz`)).status).toBe(503);
    renameSync(`${store}.moved`, store);
    await untilTrue(async () => (await fetch(`${server.address}/readyz`)).status === 200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });
    expect(server.output.join('\n')).not.toMatch(/\n\s+at /);
  });

  test('that cannot be written any more is not ready', async () => {
    const { cwd, store } = await createCommandPlace();
    const server = await startServer({ cwd, obeysModes: true });
    chmodSync(store, 0o400);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(503);
    chmodSync(store, 0o600);
    await untilTrue(async () => (await fetch(`${server.address}/readyz`)).status === 200);
    server.child.kill('SIGTERM');
    await server.ended;
    expect(server.output.join('\n')).not.toMatch(/\n\s+at /);
  });
});

test('files of the store, backups, exports and rejected records are for their owner alone', async () => {
  const cwd = createFolder();
  const run = (...args: string[]) => runInShared(args, { cwd });
  await run('guild', 'set', GUILD_ID, '--name', 'Emberhold');
  writeFileSync(path.join(cwd, 'd.ndjson'), '{"id":1}\n');
  await run('import', 'discharges', 'd.ndjson');
  await run('backup', 'backup.db');
  await run('export', 'discharges', '--out', 'out.csv');
  const server = await startServer({ cwd });
  const files = ['data/guildbook.db', 'data/guildbook.db-wal', 'data/guildbook.db-shm'];
  for (const file of [...files, 'backup.db', 'out.csv', 'd.ndjson.rejected']) {
    expect((statSync(path.join(cwd, file)).mode & 0o777).toString(8), file).toBe('600');
  }
  server.child.kill('SIGTERM');
  await server.ended;
});

test('help marks the options that cannot be left out', async () => {
  const { stdout } = await runInShared(['key', 'create', '--help'], { cwd: createFolder() });
  const options = stdout.split(/\n {2}(?=-)/).slice(1);
  const required = options.filter((text) => text.includes('(required)'));
  expect(required.map((text) => text.split(' ')[0])).toEqual(['--guild', '--name', '--scopes', '--expires']);
});

test('a guild that has all the keys it may have is told the limit, and how to make room', async () => {
  const { cwd, store } = await createCommandPlace();
  const db = openStoreFile(store);
  db.exec(`WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${KEYS_PER_GUILD_MAX})
    INSERT INTO api_key (key_id, guild_no, hash, prefix, name, scopes, created_by, created_at, expires_at)
    SELECT 'many ' || n, guild_no, 'hash of many ' || n, 'gbk_0aB1cD2e', 'Many', '', 'chat-1', 0, ${Date.now() + 3_600_000}
    FROM counted, (SELECT guild_no FROM guild LIMIT 1)`);
  db.exec("UPDATE guild SET plan = 'enterprise'");
  db.close();
  const create = ['key', 'create', '--guild', GUILD_ID, '--name', 'One', '--scopes', 'guild:read'];
  const [wrong, advice] = await fail([...create, '--expires', '1d'], { cwd });
  expect(wrong).toBe('guildbook: a guild can have at most 1,000 live keys, delete one first');
  expect(advice).toBe(
    '  "npx guildbook key list --guild <guildId>" shows them, and "npx guildbook key delete <keyId>" deletes one.',
  );
});
