import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { runCommand, startServer } from '../support/process.ts';
import { at, createPlace, meant } from './settings-place.ts';

const TOKEN = 'a-token-of-at-least-32-characters-0123';
const EXAMPLE = fileURLToPath(new URL('../../../deploy/guildbook.env.example', import.meta.url));

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
