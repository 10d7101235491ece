import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runInShared } from '../support/command-runner.ts';
import { startServer } from '../support/process.ts';
import { at, createPlace, meant } from './settings-place.ts';

// Names in the file or in the environment that are no settings.

describe('a mistyped name in the file', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['BOT_TOKN', 'BOT_TOKEN'],
    ['database_url', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATABASE-URL', 'DATABASE_URL'],
    ['DATA_BASE_URL', 'DATABASE_URL'],
    ['URL_DATABASE', 'DATABASE_URL'],
    ['GUILDBOOK_DATABASE_URL', 'DATABASE_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['SECRETE_KEY', 'SECRET_KEY'],
    ['PROT', 'PORT'],
    ['HOSTS', 'HOST'],
    ['TRSUT_PROXY', 'TRUST_PROXY'],
    ['CHAT_CLEINT_ID', 'CHAT_CLIENT_ID'],
    ['WEBHOOKS_ALLOWED_NETWORK', 'WEBHOOK_ALLOWED_NETWORKS'],
  ])('%s is an error that names %s', async (name, setting) => {
    const { config } = createPlace(`# settings\n\n${name}=secret-word\n`);
    const { status, faults } = await config();
    expect({ status, faults }).toEqual({ status: 1, faults: [meant(3, name, setting)] });
  });

  test('stops every command that reads settings, before it makes or opens a store', async () => {
    const { cwd, run } = createPlace('DATABSE_URL=sqlite:named.db\n');
    const backup = path.join(cwd, 'backup.db');
    for (const args of [
      ['serve'],
      ['demo'],
      ['migrate'],
      ['migrate', '--print'],
      ['backup', backup],
      ['restore', backup],
      ['verify'],
      ['export', 'commands'],
      ['guild', 'set', '1', '--name', 'One'],
      ['guild', 'list', '--json', '--quiet'],
      ['key', 'list', '--guild', '1'],
      ['copy', '--from', 'sqlite:a.db', '--to', 'sqlite:b.db'],
      ['distribute'],
    ]) {
      const result = await run(args);
      expect(result, args.join(' ')).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr, args.join(' ')).toContain(`  ${meant(1, 'DATABSE_URL', 'DATABASE_URL')}\n`);
    }
    expect(existsSync(path.join(cwd, 'data'))).toBe(false);
  });

  test('is an error although the setting itself is set, in the file or in the environment', async () => {
    const { config } = createPlace('DATABASE_URL=sqlite:a.db\nDATABSE_URL=sqlite:b.db\n');
    expect((await config({ DATABASE_URL: 'sqlite:c.db' })).faults).toEqual([
      meant(2, 'DATABSE_URL', 'DATABASE_URL'),
    ]);
  });
});

describe('a name of another program in the file', () => {
  const foreign = (line: number, name: string) => at(line, `${name} is not a setting of Guildbook`);
  const late = (line: number, name: string) =>
    at(line, `${name} has no effect in a file, which is read after the start; set it in the environment`);

  test.each([
    [
      'TZ=Europe/Berlin\nLANG=C.UTF-8\nLC_ALL=C\nPGSSLROOTCERT=/ca.pem\nNODE_ENV=production\nUV_THREADPOOL_SIZE=8',
    ],
    ['SSL_CERT_FILE=/ca.pem\nTMPDIR=/var/tmp\nPATH=/usr/bin\nHOME=/root'],
  ])('%j is neither an error nor a warning', async (text) => {
    expect(await createPlace(text).config()).toMatchObject({ status: 0, faults: [], warnings: [] });
  });

  test('is a warning when it would have to be in the environment, and none when it is there', async () => {
    const lines = [
      'NODE_OPTIONS=--max-old-space-size=512',
      'NODE_EXTRA_CA_CERTS=/ca.pem',
      'MALLOC_ARENA_MAX=2',
    ];
    const { config } = createPlace(lines.join('\n'));
    expect(await config()).toMatchObject({
      status: 0,
      warnings: [late(1, 'NODE_OPTIONS'), late(2, 'NODE_EXTRA_CA_CERTS'), late(3, 'MALLOC_ARENA_MAX')],
    });
    expect((await config({ MALLOC_ARENA_MAX: '2' })).warnings).toHaveLength(2);
  });

  test.each([
    'JWT_TOKEN',
    'GIT_TOKEN',
    'POSTGRES_PASSWORD',
    'COMPOSE_PROJECT_NAME',
    'AWS_SECRET_ACCESS_KEY',
    'HTTPS_PROXY',
    'REDIS_PORT',
    'PUBLIC_KEY',
    'DATABASE_NAME',
    'HOSTNAME',
    'GUILDBOOK_IMAGE',
  ])('%s is a warning', async (name) => {
    expect(await createPlace(`${name}=x\n`).config()).toMatchObject({
      status: 0,
      faults: [],
      warnings: [foreign(1, name)],
    });
  });

  test('is not shown when it may be a part of a secret that was wrapped', async () => {
    const { config } = createPlace(`SECRET_KEY=${'k'.repeat(64)}\nZm9vYmFyMTIzNDU2==\n`);
    expect((await config()).warnings).toEqual([at(2, 'this is not a setting of Guildbook')]);
  });

  test('is no warning for the command that uses it', async () => {
    const { cwd, run } = createPlace('SOURCE=sqlite:data/guildbook.db\nTARGET=sqlite:copy.db\n');
    await runInShared(['guild', 'set', '1', '--name', 'One'], { cwd });
    const copied = await run(['copy', '--from-env', 'SOURCE', '--to-env', 'TARGET']);
    expect(copied).toMatchObject({ status: 0, stderr: '' });
    expect((await run(['guild', 'list'])).stderr).toContain('line 1: SOURCE is not a setting of Guildbook\n');
  });

  test('does not keep the service from starting, which shows the warning', async () => {
    const { cwd } = createPlace('FAVOURITE_COLOUR=blue\nDATABASE_URL=sqlite:named.db\n');
    const server = await startServer({ cwd, args: ['--env-file', 'guildbook.env'] });
    expect(server.output).toContain(`guildbook: warning: ${foreign(1, 'FAVOURITE_COLOUR')}`);
    server.child.kill('SIGTERM');
    await server.ended;
    expect(existsSync(path.join(cwd, 'named.db'))).toBe(true);
  });

  test('is shown by every command once, and not with --quiet or --json', async () => {
    const { run } = createPlace('FAVOURITE_COLOUR=blue\n');
    const warning = `guildbook: warning: ${foreign(1, 'FAVOURITE_COLOUR')}\n`;
    for (const args of [['guild', 'set', '1', '--name', 'One'], ['verify'], ['config']]) {
      expect((await run(args)).stderr, args.join(' ')).toBe(warning);
    }
    expect((await run(['verify', '--quiet'])).stderr).toBe('');
    expect((await run(['guild', 'list', '--json'])).stderr).toBe('');
  });
});

describe('a mistyped name in the environment', () => {
  const warned = (name: string, setting: string) =>
    `the environment has ${name}, which is not a setting; did you mean ${setting}?`;

  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['BOT_TOKN', 'BOT_TOKEN'],
    ['GUILDBOOK_PUBLIC_URL', 'PUBLIC_URL'],
  ])('%s is a warning', async (name, setting) => {
    const { config } = createPlace('');
    expect(await config({ [name]: 'x' })).toMatchObject({ status: 0, warnings: [warned(name, setting)] });
  });

  test('is none when the setting is set, when it is empty, or when it is too short to tell', async () => {
    const { config } = createPlace('');
    const env = {
      LOGLEVEL: 'debug',
      LOG_LEVEL: 'info',
      REDIS_URI: '',
      POST: '1',
      GUILDBOOK_PORT: 'tcp://10.0.0.7:3000',
      JWT_TOKEN: 'x',
      HOSTNAME: 'x',
    };
    expect(await config(env)).toMatchObject({ status: 0, warnings: [] });
  });
});
