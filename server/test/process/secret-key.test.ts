import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSealer } from '../../src/domain/access/sealing.ts';
import { aSession } from '../contract/specimens.ts';
import { createDatabase } from '../postgres/database.ts';
import { TESTER } from '../support/change.ts';
import { runInShared } from '../support/command-runner.ts';
import { writeEmptyStore } from '../support/empty-store.ts';
import { createFolder } from '../support/folder.ts';
import { testIds } from '../support/ids.ts';
import { LONG_TEST } from '../support/patience.ts';
import { startServer } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const KEY = 'a-key-of-the-settings-of-32-characters';
const ALLOWED = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
const IN_ORDER = 'Everything is in order.\n';

/** A folder in which command lines find their store in `data`. */
function createPlace() {
  const cwd = createFolder();
  mkdirSync(path.join(cwd, 'data'));
  const run = (args: readonly string[], env: Record<string, string> = {}) => runInShared(args, { cwd, env });
  return { cwd, store: path.join(cwd, 'data/guildbook.db'), keyFile: path.join(cwd, 'data/secret.key'), run };
}

/** The same with a store that has a webhook, encrypted with the key beside the store unless the settings have one. */
async function createFilledPlace(settings: Record<string, string> = {}) {
  const place = createPlace();
  writeEmptyStore(place.store);
  await addWebhook({ DATABASE_URL: `sqlite:${place.store}`, ...settings });
  return place;
}

async function addWebhook(settings: Record<string, string>): Promise<void> {
  const service = await startTestService({ ...ALLOWED, ...settings });
  const { url } = await startReceiver();
  const order = { url, kind: 'standard', events: ['transaction.posted'] } as const;
  await service.webhooks.create(await service.addGuild('1'), order, TESTER);
  await service.stop();
}

const unreadable = (reason: string) =>
  expect.stringContaining(`webhooks that cannot deliver: 1\n  ${reason}`);
const NOT_THE_KEY =
  'SECRET_KEY is not the key that their secrets are encrypted with. Set SECRET_KEY_PREVIOUS';

describe('a store that was restored without its secret.key', () => {
  test('is reported by restore, verify and serve until the key is there', LONG_TEST, async () => {
    const former = await createFilledPlace();
    const backup = path.join(former.cwd, 'backup.db');
    expect((await former.run(['verify'])).stdout).toBe(IN_ORDER);
    const backedUp = await former.run(['backup', backup]);
    expect(backedUp.stdout).toBe(
      `Backup written to ${backup} and checked.\nThe backup does not hold the key that encrypts the secrets of webhooks and the key of the sealed ledgers. ` +
        `Copy ${former.keyFile} as well, to another place than the backup, and keep it secret.\n`,
    );
    const { cwd, run, keyFile } = createPlace();
    const missing = `Their secrets are encrypted, and there is no ${keyFile}. Put the secret.key from beside`;
    expect(await run(['restore', backup])).toMatchObject({ status: 0, stdout: unreadable(missing) });
    expect(await run(['verify'])).toMatchObject({ status: 1, stdout: '', stderr: unreadable(missing) });

    const server = await startServer({ cwd });
    const [line] = server.output.filter((one) => one.includes('webhooks deliver nothing'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, webhooks: 1 });
    expect(await server.readMetrics()).toContain('guildbook_unreadable_secrets{kind="webhook"} 1\n');
    server.child.kill('SIGTERM');
    await server.ended;
    expect(existsSync(keyFile)).toBe(false);

    writeFileSync(keyFile, `${'x'.repeat(43)}\n`);
    expect(await run(['verify'])).toMatchObject({
      status: 1,
      stderr: unreadable(`Their secrets are encrypted, and ${keyFile} is not the key`),
    });
    copyFileSync(former.keyFile, keyFile);
    expect(await run(['verify'])).toMatchObject({ status: 0, stdout: IN_ORDER });
    expect((await run(['restore', backup, '--force'])).stdout).toMatch(/^Restored .*\n$/);
  });
});

describe('a SECRET_KEY that took the place of another key', () => {
  test('is reported by verify, and mended by one start with SECRET_KEY_PREVIOUS', LONG_TEST, async () => {
    const { cwd, run, keyFile } = await createFilledPlace();
    const before = readFileSync(keyFile, 'utf8').trim();
    const verify = (keys: Record<string, string>) => run(['verify'], keys);
    expect(await verify({ SECRET_KEY: KEY })).toMatchObject({ status: 1, stderr: unreadable(NOT_THE_KEY) });
    const both = { SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: before };
    expect(await verify(both)).toMatchObject({
      status: 0,
      stdout: `Some secrets are encrypted with SECRET_KEY_PREVIOUS: restart the service before you remove it.\n${IN_ORDER}`,
    });
    const server = await startServer({ cwd, env: both });
    const [line] = server.output.filter((one) => one.includes('SECRET_KEY_PREVIOUS'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 30, webhooks: 1, sessions: 0 });
    server.child.kill('SIGTERM');
    await server.ended;
    expect(await verify(both)).toMatchObject({ status: 0, stdout: IN_ORDER });
    expect(await verify({ SECRET_KEY: KEY })).toMatchObject({ status: 0, stdout: IN_ORDER });
    expect(await verify({})).toMatchObject({ status: 1 });
  });

  test(
    'is reported on PostgreSQL, where a command without SECRET_KEY says what it did not check',
    LONG_TEST,
    async () => {
      const database = await createDatabase();
      onTestFinished(database.remove);
      const { run } = createPlace();
      const env = { DATABASE_URL: database.url };
      expect(await run(['verify'], env)).toMatchObject({ status: 0, stdout: IN_ORDER });
      await addWebhook({ ...env, SECRET_KEY: KEY });
      expect(await run(['verify'], env)).toMatchObject({
        status: 0,
        stdout: `The secrets of 1 webhook were not checked: SECRET_KEY is not set for this command.\n${IN_ORDER}`,
      });
      expect(await run(['verify'], { ...env, SECRET_KEY: KEY })).toMatchObject({
        status: 0,
        stdout: IN_ORDER,
      });
      expect(await run(['verify'], { ...env, SECRET_KEY: 'x'.repeat(32) })).toMatchObject({
        status: 1,
        stdout: '',
        stderr: unreadable(NOT_THE_KEY),
      });
    },
  );

  test('leaves sessions unreadable, which verify calls harmless', LONG_TEST, async () => {
    const { store, run } = createPlace();
    writeEmptyStore(store);
    const service = await startTestService({ DATABASE_URL: `sqlite:${store}`, SECRET_KEY: KEY });
    const { tokenHash } = aSession();
    const sealedTokens = createSealer(KEY, testIds).seal('tokens', tokenHash);
    await service.store.sessions.insert(
      aSession({ tokenHash, sealedTokens, expiresAtMs: Date.now() + 3_600_000 }),
    );
    await service.stop();
    expect(await run(['verify'], { SECRET_KEY: KEY })).toMatchObject({ status: 0, stdout: IN_ORDER });
    expect(await run(['verify'], { SECRET_KEY: 'x'.repeat(32) })).toMatchObject({
      status: 0,
      stdout: `The tokens of 1 session cannot be read: their people sign in again, which is harmless.\n${IN_ORDER}`,
    });
  });
});

describe('the key of the settings', () => {
  test('is not mentioned by a backup, and SECRET_KEY_PREVIOUS must be another one', LONG_TEST, async () => {
    const { cwd, run } = await createFilledPlace({ SECRET_KEY: KEY });
    const env = { SECRET_KEY: KEY };
    const backup = path.join(cwd, 'backup.db');
    expect((await run(['backup', backup], env)).stdout).toBe(`Backup written to ${backup} and checked.\n`);
    for (const [previous, fault] of [
      [KEY, 'must differ from SECRET_KEY'],
      ['short', 'must have at least 32 printable characters and no blanks'],
    ] as const) {
      const refused = await run(['verify'], { ...env, SECRET_KEY_PREVIOUS: previous });
      expect(refused).toMatchObject({ status: 1, stdout: '' });
      expect(refused.stderr).toContain(`  SECRET_KEY_PREVIOUS: ${fault}\n`);
    }
  });
});

test('a copy names the file of the key that its secrets are encrypted with', LONG_TEST, async () => {
  const { run, keyFile } = await createFilledPlace();
  const copied = await run([
    'copy',
    '--from',
    'sqlite:data/guildbook.db',
    '--to',
    'sqlite:copy/guildbook.db',
  ]);
  expect(copied).toMatchObject({ status: 0 });
  expect(copied.stdout).toContain(`are encrypted with the key in ${keyFile}. Give the service on the copy`);
  const copy = { DATABASE_URL: 'sqlite:copy/guildbook.db' };
  expect(await run(['verify'], copy)).toMatchObject({ status: 1 });
  const key = readFileSync(keyFile, 'utf8').trim();
  expect(await run(['verify'], { ...copy, SECRET_KEY: key })).toMatchObject({ status: 0, stdout: IN_ORDER });
});
