import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readOldStore } from '../../../scripts/old-store.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { createNewerProgram, NEWER_VERSION, PRESENT_VERSION } from '../support/newer-program.ts';
import { OLDER_VERSION, readFixture } from '../support/older-store.ts';
import { runCommand, startServer } from '../support/process.ts';
import { createCommandPlace, GUILD_ID } from './command-place.ts';

const RESTORED = { DATABASE_URL: 'sqlite:./restored/guildbook.db' };

/** The service made its key beside the store. */
const keyNote = (cwd: string) =>
  'The backup does not hold the key that encrypts the secrets of webhooks and the key of the sealed ledgers. ' +
  `Copy ${path.join(cwd, 'data', 'secret.key')} as well, to another place than the backup, and keep it secret.\n`;

let newer: string;
beforeAll(() => {
  newer = createNewerProgram();
});

describe('a backup by a newer program of a store that an older one serves', () => {
  test('is made, restores with the older program, and with the newer one that then migrates it', async () => {
    const { cwd } = await createCommandPlace();
    const server = await startServer({ cwd });
    expect(await runCommand(['backup', 'kept.db'], { cwd, program: newer })).toEqual({
      status: 0,
      stderr: '',
      stdout:
        'Backup written to kept.db and checked.\n' +
        `It has schema version ${PRESENT_VERSION}, and this program has ${NEWER_VERSION}.\n` +
        '  Restore it with the version that served the store, or with this one and then run "npx guildbook migrate".\n' +
        keyNote(cwd),
    });
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });

    const older = { cwd, env: RESTORED };
    expect(await runInShared(['restore', 'kept.db'], older)).toMatchObject({
      status: 0,
      stdout: `Restored sqlite:${path.join(cwd, 'restored/guildbook.db')} from kept.db.\n`,
    });
    expect(await runInShared(['verify'], older)).toMatchObject({ status: 0 });
    expect((await runInShared(['guild', 'list'], older)).stdout).toContain(GUILD_ID);

    const again = { ...older, program: newer };
    const restored = await runCommand(['restore', '--force', 'kept.db'], again);
    expect(restored.stdout).toMatch(
      /\n {2}Run "npx guildbook migrate", or start the service, which upgrades the store\.\n$/,
    );
    expect(await runCommand(['verify'], again)).toMatchObject({ status: 1 });
    expect(await runCommand(['migrate'], again)).toMatchObject({ status: 0 });
    expect(await runCommand(['verify'], again)).toMatchObject({ status: 0 });
    expect((await runCommand(['guild', 'list'], again)).stdout).toContain(GUILD_ID);
  });
});

describe('a backup by an older program of a store that a newer one serves', () => {
  test('is made, and restores with the newer program alone', async () => {
    const { cwd } = await createCommandPlace();
    const server = await startServer({ cwd, program: newer });
    expect(await runInShared(['backup', 'kept.db'], { cwd })).toEqual({
      status: 0,
      stderr: '',
      stdout:
        'Backup written to kept.db and checked.\n' +
        `It has schema version ${NEWER_VERSION}, and this program has ${PRESENT_VERSION}.\n` +
        '  Restore it with the newer Guildbook that served the store.\n' +
        keyNote(cwd),
    });
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });
    const refused = await runInShared(['restore', 'kept.db'], { cwd, env: RESTORED });
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain('use a newer Guildbook');
    const place = { cwd, env: RESTORED, program: newer };
    expect(await runCommand(['restore', 'kept.db'], place)).toMatchObject({ status: 0 });
    expect(await runCommand(['verify'], place)).toMatchObject({ status: 0 });
    expect((await runCommand(['guild', 'list'], place)).stdout).toContain(GUILD_ID);
  });
});

test('a store of version 0.2.0 is backed up as it is, and restored and migrated elsewhere', async () => {
  const { cwd, write } = await createCommandPlace();
  write('data/guildbook.db', readOldStore());
  const backedUp = await runInShared(['backup', 'kept.db'], { cwd });
  expect(backedUp).toMatchObject({ status: 0, stderr: '' });
  expect(backedUp.stdout).toContain(
    `It has schema version ${OLDER_VERSION.sqlite}, and this program has ${PRESENT_VERSION}.`,
  );
  const elsewhere = { cwd: createFolder() };
  const source = path.join(cwd, 'kept.db');
  expect(await runInShared(['restore', source], elsewhere)).toMatchObject({ status: 0 });
  expect(await runInShared(['migrate'], elsewhere)).toMatchObject({ status: 0 });
  expect(await runInShared(['verify'], elsewhere)).toMatchObject({ status: 0 });
});

test('a store of version 0.1.0 is refused by every command but backup, with the release to pass through, and stays as it is', async () => {
  const { cwd, write, store } = await createCommandPlace();
  const before = readFixture('first-0.1.0.db');
  write('data/guildbook.db', before);
  const refusal =
    'guildbook: the store has schema version 1, which is older than that of Guildbook 0.2.0\n' +
    '  Upgrade it with Guildbook 0.2.0 first, then with this version. docs/upgrading.md has the commands.\n';
  for (const args of [['migrate'], ['migrate', '--no-copy'], ['verify'], ['guild', 'list']]) {
    expect(await runInShared(args, { cwd }), args.join(' ')).toMatchObject({ status: 1, stderr: refusal });
  }
  const served = await runCommand(['serve'], { cwd, env: { PORT: '0' } });
  expect(served.status).toBe(1);
  expect(served.stderr).toContain('Upgrade it with Guildbook 0.2.0 first');
  expect(await runInShared(['backup', 'kept.db'], { cwd })).toEqual({
    status: 0,
    stderr: '',
    stdout:
      'Backup written to kept.db and checked.\n' +
      `It has schema version 1, and this program has ${PRESENT_VERSION}.\n` +
      '  Restore it with the version that served the store. This program does not upgrade it directly.\n',
  });
  expect(await runInShared(['restore', 'kept.db'], { cwd, env: RESTORED })).toMatchObject({
    status: 1,
    stderr: refusal,
  });
  expect(readFileSync(store).equals(before)).toBe(true);
  expect(readdirSync(path.dirname(store))).toEqual(['guildbook.db', 'guildbook.db-last-backup']);
});
