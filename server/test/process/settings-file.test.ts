import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { runCommand, startServer } from '../support/process.ts';

const TOKEN = 'a-token-of-at-least-32-characters-0123';
const EXAMPLE = fileURLToPath(new URL('../../../deploy/guildbook.env.example', import.meta.url));

/** A folder with a file of settings, and command lines that read it. */
function createPlace(settings: string | Buffer) {
  const cwd = createFolder();
  writeFileSync(path.join(cwd, 'guildbook.env'), settings);
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runInShared([...args, '--env-file', 'guildbook.env'], { cwd, env });
  /** The output of `config`: the values of settings by name, the warnings, and the faults. */
  async function config(env: Record<string, string> = {}) {
    const { status, stdout, stderr } = await run(['config', '--json'], env);
    const shown: { name: string; value: string }[] = JSON.parse(stdout);
    const lines = stderr.split('\n').filter((line) => line !== '');
    return {
      status,
      values: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
      warnings: lines.flatMap((line) => /^guildbook: warning: (.*)/.exec(line)?.[1] ?? []),
      faults: lines.flatMap((line) => /^ {2}(.*)/.exec(line)?.[1] ?? []),
    };
  }
  return { cwd, run, config };
}

const at = (line: number, fault: string) => `guildbook.env, line ${line}: ${fault}`;
const meant = (line: number, name: string, setting: string) =>
  at(line, `${name} is not a setting; did you mean ${setting}?`);

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

test('all faults are listed at once, those of the file, of values and of serving', async () => {
  const { cwd, config } = createPlace(
    [
      'DATABASE_URL=postgres://clerk:word@127.0.0.1:1/books',
      `BOT_TOKN=${TOKEN}`,
      'PORT 31082',
      'DEFAULT_PLAN=enterprise',
      'DEFAULT_PLAN=none',
      'LOG_LEVEL=loud',
    ].join('\n'),
  );
  const faults = [
    meant(2, 'BOT_TOKN', 'BOT_TOKEN'),
    at(3, 'there is no "=" in this line; write PORT=value, or begin a comment with #'),
    at(5, 'DEFAULT_PLAN is set in line 4 already; keep one of the two'),
    'LOG_LEVEL: must be one of: fatal, error, warn, info, debug, trace, silent',
    'SECRET_KEY: is needed with PostgreSQL, the same one for every instance',
  ];
  expect((await config()).faults).toEqual(faults);
  const served = await runCommand(['serve'], { cwd, env: { GUILDBOOK_ENV_FILE: 'guildbook.env' } });
  expect(served.stderr).toBe(
    ['guildbook: The configuration has faults:', ...faults.map((fault) => `  ${fault}`), ''].join('\n'),
  );
});

describe('a line that cannot be read', () => {
  const noEquals = (setting: string) =>
    `there is no "=" in this line; write ${setting}=value, or begin a comment with #`;
  const noName = (setting: string) =>
    `the text before "=" is not a name; write ${setting}=value, or begin a comment with #`;
  const open = (name: string) => `the quote in front of the value of ${name} is not closed in this line`;
  const behind = (name: string) =>
    `there is text behind the closing quote of ${name}; only a comment may follow`;
  const hash = (name: string) =>
    `the value of ${name} has a "#" in it; put the value in quotes, or a blank in front of a comment`;

  test.each([
    ['PORT: 31082', noEquals('PORT')],
    ['export PORT', noEquals('PORT')],
    ['BOT_TOKN secret-word', noEquals('BOT_TOKEN')],
    ['secret-word', noEquals('NAME')],
    ['; secret-word', noEquals('NAME')],
    ['set PORT=31082', noName('PORT')],
    ['SECRET_KEY secret-word==', noName('SECRET_KEY')],
    ['=secret-word', noName('NAME')],
    ['1ST=secret-word', noName('NAME')],
    ['SECRET_KEY="secret-word', open('SECRET_KEY')],
    ['SECRET_KEY="secret-word\nmore"', open('SECRET_KEY'), noEquals('NAME')],
    ['GREETING="secret-word\nSECRET_KEY="secret-word"', open('GREETING')],
    ['GREETING="secret-word', open('GREETING')],
    ['SECRET_KEY="secret" word', behind('SECRET_KEY')],
    ['SECRET_KEY="secret"word"', behind('SECRET_KEY')],
    ['BOT_TOKEN=secret#word', hash('BOT_TOKEN')],
    ['BOT_TOKEN=#secret-word', hash('BOT_TOKEN')],
    ['PORT=1\nPORT=1', 'PORT is set in line 1 already; keep one of the two'],
    ['GREETING=1\nGREETING=', 'GREETING is set in line 1 already; keep one of the two'],
  ])('%j is an error, which does not show the value', async (text, ...expected) => {
    const { run, config } = createPlace(`${text}\n`);
    const { status, faults } = await config();
    const texts = faults.map((fault) => fault.replace(/^guildbook\.env, line \d: /, ''));
    expect(status).toBe(1);
    expect(texts).toEqual(expect.arrayContaining(expected));
    expect(texts.filter((one) => !one.startsWith('SECRET_KEY: '))).toHaveLength(expected.length);
    expect((await run(['config'])).stderr).not.toContain('secret-word');
  });
});

describe('a line that can be read', () => {
  const LONG = `"a value\nof two lines, with = and a # in it"`;
  test.each([
    ['a comment, an empty line and blanks', '# PORT 1\n\n  \n\t# DATABSE_URL=x\n  PORT =  8001  \n'],
    ['a comment behind the value', 'PORT=8001 # the proxy knows it\n'],
    ['an empty value with a comment', 'PORT=8001\nBOT_TOKEN= # openssl rand -hex 32\nSECRET_KEY=\n'],
    ['double quotes', 'PORT="8001"\n'],
    ['single quotes', "PORT='8001' # comment\n"],
    ['backquotes', 'PORT=`8001`\n'],
    ['export', 'export PORT=8001\n'],
    ['Windows line ends', 'PORT=8001\r\nDEFAULT_PLAN=enterprise\r\n'],
    ['Mac line ends', 'PORT=8001\rDEFAULT_PLAN=enterprise\r'],
    ['a byte order mark', '\uFEFFPORT=8001\n'],
    ['no line end', 'PORT=8001'],
    ['a foreign value of several lines', `GREETING=${LONG}\nPORT=8001\n`],
    ['a foreign value with a # in it', 'GREETING=a#b\nPORT=8001\n'],
    ['a value with = in it', `PORT=8001\nBOT_TOKEN=${TOKEN}==\n`],
  ])('%s', async (_name, text) => {
    const { config } = createPlace(text);
    const { status, faults, values } = await config();
    expect({ status, faults, port: values.PORT }).toEqual({ status: 0, faults: [], port: '8001' });
  });

  test('has the value that Node.js reads', async () => {
    const text = [
      'HOST="a # b" # c',
      "CHAT_CLIENT_ID='x\\ny'",
      'CHAT_CLIENT_SECRET="="',
      'DATABASE_URL=postgres://clerk:a=b@db/books?sslmode=verify-full # x # y',
      'PUBLIC_URL = https://example.org ',
      `export TRUST_PROXY='127.0.0.1, ::1'`,
    ].join('\n');
    const { config } = createPlace(text);
    const read = parseEnv(text);
    const { values } = await config();
    expect(Object.keys(read)).toHaveLength(6);
    expect(values).toMatchObject({
      ...read,
      CHAT_CLIENT_SECRET: '(set)',
      DATABASE_URL: 'postgres://clerk:(set)@db/books?sslmode=verify-full',
    });
  });
});

test.each([
  ['UTF-16', Buffer.from('\uFEFFPORT=8001\n', 'utf16le')],
  ['UTF-16 without its mark', Buffer.from('PORT=8001\n', 'utf16le')],
  ['Latin 1', Buffer.from('# für alle\nPORT=8001\n', 'latin1')],
])('a file in %s is refused instead of read as one without settings', async (_name, bytes) => {
  const { run } = createPlace(bytes);
  const { status, stderr } = await run(['config']);
  expect(status).toBe(1);
  expect(stderr).toContain('the file of settings guildbook.env cannot be read: it is not UTF-8 text\n');
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

test('the example of the package has no faults and no warnings', async () => {
  const { config } = createPlace(readFileSync(EXAMPLE, 'utf8'));
  expect(await config()).toMatchObject({ status: 0, faults: [], warnings: [] });
});

test('worker processes take the settings from the process that started them', async () => {
  const database = await createDatabase();
  const { cwd } = createPlace(
    `DATABASE_URL=${database.url}\nSECRET_KEY=${'k'.repeat(32)}\nFAVOURITE_COLOUR=x\n`,
  );
  const env = { REDIS_URL: 'redis://127.0.0.1:1' };
  const server = await startServer({ cwd, env, args: ['--workers', '2', '--env-file', 'guildbook.env'] });
  const warnings = server.output.filter((line) => line.startsWith('guildbook: warning: '));
  expect(warnings).toHaveLength(1);
  server.child.kill('SIGTERM');
  await server.ended;
  await database.remove();
});
