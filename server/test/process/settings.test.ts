import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createDatabase } from '../postgres/database.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { runCommand, startServer } from '../support/process.ts';

/** A folder with a file of settings that names a store of its own. */
function createPlace(settings = 'DATABASE_URL=sqlite:named.db\nDEFAULT_PLAN="enterprise"\n# a comment\n') {
  const cwd = createFolder();
  writeFileSync(path.join(cwd, 'guildbook.env'), settings);
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runInShared(args, { cwd, env, keepsStoreLines: true });
  return { cwd, run };
}

const SET = ['guild', 'set', '1', '--name', 'One'];

describe('a file of settings', () => {
  test.each([
    ['--env-file behind the command', [...SET, '--env-file', 'guildbook.env'], {}],
    ['--env-file in front of it', ['--env-file', 'guildbook.env', ...SET], {}],
    ['GUILDBOOK_ENV_FILE', SET, { GUILDBOOK_ENV_FILE: 'guildbook.env' }],
  ])('is named by %s', async (_name, args, env) => {
    const { cwd, run } = createPlace();
    const made = await run([...args, '--json'], env);
    expect(JSON.parse(made.stdout).plan).toBe('enterprise');
    expect(existsSync(path.join(cwd, 'named.db'))).toBe(true);
  });

  test('yields to the environment, of which an empty variable counts as absent', async () => {
    const { cwd, run } = createPlace();
    const env = { DATABASE_URL: 'sqlite:other.db', DEFAULT_PLAN: '' };
    const made = await run([...SET, '--env-file', 'guildbook.env', '--json'], env);
    expect(JSON.parse(made.stdout).plan).toBe('enterprise');
    expect([existsSync(path.join(cwd, 'other.db')), existsSync(path.join(cwd, 'named.db'))]).toEqual([
      true,
      false,
    ]);
  });

  test('is what the service is configured by, and config tells what came from it', async () => {
    const { cwd, run } = createPlace();
    const server = await startServer({ cwd, args: ['--env-file', 'guildbook.env'] });
    server.child.kill('SIGTERM');
    await server.ended;
    expect(existsSync(path.join(cwd, 'named.db'))).toBe(true);
    const shown = await run(['config', '--json', '--env-file', 'guildbook.env'], { PORT: '3001' });
    const sources = JSON.parse(shown.stdout).map((one: { name: string; source: string }) => [
      one.name,
      one.source,
    ]);
    expect(Object.fromEntries(sources)).toMatchObject({
      DATABASE_URL: 'file',
      DEFAULT_PLAN: 'file',
      PORT: 'environment',
      HOST: 'default',
    });
  });

  test('that cannot be read is an error, not an empty one', async () => {
    const { run } = createPlace();
    const result = await run(SET, { GUILDBOOK_ENV_FILE: 'nowhere.env' });
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toMatch(
      /^guildbook: the file of settings nowhere\.env cannot be read: .*\n {2}Correct GUILDBOOK_ENV_FILE, or leave it out\.\n$/,
    );
  });
});

describe('which store is used', () => {
  test('is told on standard error by every command that opens one, and not with --quiet or --json', async () => {
    const { cwd, run } = createPlace();
    const line = `Store: sqlite:${path.join(cwd, 'data', 'guildbook.db')}`;
    expect((await run(SET)).stderr).toBe(`${line} (there is none yet)\n`);
    for (const args of [['guild', 'list'], ['verify'], ['migrate'], ['export', 'commands']]) {
      expect((await run(args)).stderr, args.join(' ')).toBe(`${line}\n`);
      expect((await run([...args, '--quiet'])).stderr, args.join(' ')).toBe('');
    }
    expect((await run(['guild', 'list', '--json'])).stderr).toBe('');
    expect((await run(['config'])).stderr).toBe('');
    const server = await startServer({ cwd });
    expect(server.output).toContain(line);
    server.child.kill('SIGTERM');
    await server.ended;
  });

  test('is told without its password', async () => {
    const { run } = createPlace();
    const env = { DATABASE_URL: 'postgres://clerk:secret-word@127.0.0.1:1/books' };
    const { stderr } = await run(['guild', 'list'], env);
    expect(stderr).toContain('Store: postgres://clerk:(set)@127.0.0.1:1/books\n');
    expect(stderr).not.toContain('secret-word');
  });
});

describe('settings that are refused', () => {
  test.each([
    [{ PUBLIC_URL: 'https://example.org/guildbook' }, 'PUBLIC_URL: must be an address without a path'],
    [{ PUBLIC_URL: 'https://example.org/?a=b' }, 'PUBLIC_URL: must be an address without a path'],
    [{ PUBLIC_URL: 'https://user@example.org' }, 'PUBLIC_URL: must be an address without a path'],
    [{ DATABASE_URL: 'sqlite:' }, 'DATABASE_URL: must name a file'],
    [{ DATABASE_URL: 'sqlite:./data/' }, 'DATABASE_URL: must name a file'],
    [{ DATABASE_URL: 'sqlite://data/guildbook.db' }, 'DATABASE_URL: must name a file'],
    [{ DATABASE_URL: 'sqlite::memory:' }, 'DATABASE_URL: must name a file'],
    [{ DATABASE_URL: 'sqlite:file:guildbook.db?mode=ro' }, 'DATABASE_URL: must name a file'],
    [{ DATABASE_URL: 'sqlite:~/guildbook.db' }, 'DATABASE_URL: must name a file'],
    [{ DATABASE_URL: './data/guildbook.db' }, 'DATABASE_URL: must name a file or a database'],
    [{ BOT_TOKEN: 'a'.repeat(32), BOT_TOKEN_PREVIOUS: 'short' }, 'BOT_TOKEN_PREVIOUS: must have at least 32'],
    [{ BOT_TOKEN_PREVIOUS: 'a'.repeat(32) }, 'BOT_TOKEN_PREVIOUS: needs BOT_TOKEN beside it'],
    [
      { BOT_TOKEN: 'a'.repeat(32), BOT_TOKEN_PREVIOUS: 'a'.repeat(32) },
      'BOT_TOKEN_PREVIOUS: must differ from BOT_TOKEN',
    ],
  ])('%j', (environment, fault) => {
    expect(() => readConfig(environment)).toThrow(fault);
  });

  test('a public address may end with a slash, and is used without it', () => {
    expect(readConfig({ PUBLIC_URL: 'https://example.org:8443/' }).publicUrl).toBe(
      'https://example.org:8443',
    );
  });
});

describe('SECRET_KEY', () => {
  test('is needed by serve on PostgreSQL, and not by commands that do not use it', async () => {
    const { run } = createPlace();
    const database = await createDatabase();
    onTestFinished(database.remove);
    const env = { DATABASE_URL: database.url };
    const served = await run(['serve'], env);
    expect(served).toMatchObject({ status: 1 });
    expect(served.stderr).toContain('SECRET_KEY: is needed with PostgreSQL, the same one for every instance');
    expect(await run([...SET, '--json'], env)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('copy', () => {
  test('takes addresses from the environment, where no list of processes shows them', async () => {
    const { cwd, run } = createPlace('TARGET_STORE=sqlite:target.db\n');
    await run(SET);
    const args = ['copy', '--from-env', 'SOURCE_STORE', '--to-env', 'TARGET_STORE', '--quiet'];
    const env = { SOURCE_STORE: 'sqlite:data/guildbook.db', GUILDBOOK_ENV_FILE: 'guildbook.env' };
    expect(await runCommand(args, { cwd, env })).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(path.join(cwd, 'target.db'))).toBe(true);
  });

  test.each([
    [['--from', 'sqlite:a.db'], 'give either --to <url> or --to-env <name>'],
    [['--from', 'sqlite:a.db', '--from-env', 'A', '--to', 'sqlite:b.db'], 'give either --from <url>'],
    [['--from-env', 'NOT_THERE', '--to', 'sqlite:b.db'], '--from-env NOT_THERE: there is no such'],
    [['--from-env', 'PATH', '--to', 'sqlite:b.db'], '--from-env PATH: must name a file or a database'],
  ])('%j is wrong usage', async (args, hint) => {
    const { run } = createPlace();
    const result = await run(['copy', ...args]);
    expect(result.status).toBe(2);
    expect(result.stderr).toContain(hint);
  });

  test('warns when the source is being served', async () => {
    const { cwd } = createPlace();
    const server = await startServer({ cwd });
    const args = ['copy', '--from', 'sqlite:data/guildbook.db', '--to', 'sqlite:target.db'];
    const copied = await runCommand(args, { cwd });
    expect(copied.stderr).toMatch(/^Warning: the source is being served\./);
    server.child.kill('SIGTERM');
    await server.ended;
  });
});
