import {
  chownSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createNewerProgram, NEWER_VERSION, PRESENT_VERSION } from '../support/newer-program.ts';
import { runCommand, startServer } from '../support/process.ts';
import { countRows } from '../support/read-store.ts';
import { createCommandPlace, GUILD_ID } from './command-place.ts';

const COPY = `guildbook.db.before-${PRESENT_VERSION}-to-${NEWER_VERSION}`;
const PAGE_BYTES = 4_096;
/** The offset of the page count in the header of a SQLite file. */
const PAGE_COUNT_OFFSET = 28;

let newer: string;
beforeAll(() => {
  newer = createNewerProgram();
});

/** A store of this version, and the next version of the program. */
async function createPlace() {
  const place = await createCommandPlace();
  const data = path.dirname(place.store);
  return {
    ...place,
    copy: path.join(data, COPY),
    // A service makes its key and its notes there, which are no part of the store.
    filesOfStore: () =>
      readdirSync(data)
        .filter((name) => name !== 'secret.key' && !name.endsWith('-seals'))
        .sort(),
    migrate: (...options: string[]) =>
      runCommand(['migrate', ...options], { cwd: place.cwd, program: newer }),
  };
}

describe('migrate', () => {
  test('names versions and steps, and keeps the store as it was in a file for its owner alone', async () => {
    const { store, copy, count, migrate, filesOfStore } = await createPlace();
    // Only root can give files away; anybody else keeps their own.
    const { uid, gid } = userInfo();
    const owner = uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
    chownSync(store, owner.uid, owner.gid);
    const result = await migrate();
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(result.stdout.replaceAll(/\d+\.\d s/g, 'n s')).toBe(
      `Upgrading the store from schema version ${PRESENT_VERSION} to ${NEWER_VERSION}.\n` +
        `The store as it was is kept in ${copy} (n s).\n` +
        `  1 of 1: ${NEWER_VERSION} later (n s)\n` +
        `The store has schema version ${NEWER_VERSION} (n s).\n`,
    );
    expect(filesOfStore()).toEqual(['guildbook.db', COPY]);
    expect(statSync(copy)).toMatchObject(owner);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(await migrate()).toMatchObject({ status: 0, stdout: 'The store is up to date.\n' });
    expect(filesOfStore()).toEqual(['guildbook.db', COPY]);
    expect(count('schema_migration')).toBe(NEWER_VERSION);
    expect(countRows(copy, 'schema_migration')).toBe(PRESENT_VERSION);
  });

  test('--no-copy keeps none', async () => {
    const { count, migrate, filesOfStore } = await createPlace();
    const result = await migrate('--no-copy');
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(result.stdout).not.toContain('kept');
    expect(filesOfStore()).toEqual(['guildbook.db']);
    expect(count('schema_migration')).toBe(NEWER_VERSION);
  });

  test('makes a new store in one line, and has nothing to copy', async () => {
    const { store, migrate, filesOfStore } = await createPlace();
    rmSync(store);
    expect(await migrate()).toMatchObject({
      status: 0,
      stdout: `Made a new store with schema version ${NEWER_VERSION}.\n`,
    });
    expect(filesOfStore()).toEqual(['guildbook.db']);
  });

  test('never overwrites a copy: one with the same content is used, any other gets a number', async () => {
    const { store, copy, run, migrate, filesOfStore } = await createPlace();
    expect(await migrate()).toMatchObject({ status: 0 });
    const first = readFileSync(copy);
    const goBack = () => run('restore', '--force', copy);
    await goBack();
    expect((await migrate()).stdout).toContain(`is kept in ${copy} (`);
    expect(filesOfStore()).toEqual(['guildbook.db', COPY]);
    await goBack();
    expect(await run('guild', 'set', '9', '--name', 'Later')).toMatchObject({ status: 0 });
    expect((await migrate()).stdout).toContain(`is kept in ${copy}.2 (`);
    expect(filesOfStore()).toEqual(['guildbook.db', COPY, `${COPY}.2`]);
    expect(readFileSync(copy).equals(first)).toBe(true);
    expect(countRows(`${copy}.2`, 'guild')).toBe(2);
    expect(countRows(copy, 'guild')).toBe(1);
    expect(countRows(store, 'guild')).toBe(2);
  });

  test('replaces what an interrupted copy has left, which never has the name of a whole one', async () => {
    const { copy, migrate, filesOfStore } = await createPlace();
    writeFileSync(`${copy}.unfinished`, 'half a store');
    writeFileSync(`${copy}.unfinished-journal`, 'and its journal');
    expect(await migrate()).toMatchObject({ status: 0 });
    expect(filesOfStore()).toEqual(['guildbook.db', COPY]);
    expect(countRows(copy, 'guild')).toBe(1);
  });

  test('is refused where there is no room for the copy, names the way without one, and leaves nothing', async () => {
    const { store, migrate, filesOfStore } = await createPlace();
    pretendTooLarge(store);
    const result = await migrate();
    expect(result).toMatchObject({ status: 1 });
    expect(result.stderr).toMatch(
      /^guildbook: the store was not upgraded: .*data has no room for a copy of it, which takes \d+ MB\n.*npx guildbook migrate --no-copy\n$/,
    );
    expect(filesOfStore()).toEqual(['guildbook.db']);
    expect(await migrate('--no-copy')).toMatchObject({ status: 0 });
  });
});

/** Makes a store claim more pages than the disk has room for. They are a hole in the file, which takes no room. */
function pretendTooLarge(file: string): void {
  const { bavail, bsize } = statfsSync(path.dirname(file));
  const pages = Math.ceil((2 * bavail * bsize) / PAGE_BYTES);
  const handle = openSync(file, 'r+');
  const count = Buffer.alloc(4);
  count.writeUInt32BE(pages);
  writeSync(handle, count, 0, count.length, PAGE_COUNT_OFFSET);
  ftruncateSync(handle, pages * PAGE_BYTES);
  closeSync(handle);
}

describe('serve', () => {
  test('logs what it upgrades and keeps a copy, with which the version before serves again', async () => {
    const { cwd, copy, run, filesOfStore } = await createPlace();
    const upgraded = await startServer({ cwd, program: newer });
    expect(upgradeLines(upgraded.output)).toEqual([
      {
        from: PRESENT_VERSION,
        to: NEWER_VERSION,
        steps: [`${NEWER_VERSION} later`],
        msg: 'upgrading the store',
      },
      {
        file: copy,
        durationMs: expect.any(Number),
        msg: 'a copy of the store as it was is kept; delete it when you no longer need it',
      },
      {
        step: `${NEWER_VERSION} later`,
        done: 1,
        total: 1,
        durationMs: expect.any(Number),
        msg: 'applied a step of the upgrade',
      },
      {
        from: PRESENT_VERSION,
        to: NEWER_VERSION,
        durationMs: expect.any(Number),
        msg: 'the store is upgraded',
      },
    ]);
    upgraded.child.kill('SIGTERM');
    await upgraded.ended;
    const refused = await runCommand(['serve'], { cwd, env: { PORT: '0' } });
    expect(refused.stderr).toContain('use a newer Guildbook');

    // The way back, as docs/upgrading.md has it.
    expect(await run('restore', '--force', copy)).toMatchObject({ status: 0 });
    expect(await run('verify')).toMatchObject({ status: 0 });
    const back = await startServer({ cwd });
    expect(upgradeLines(back.output)).toEqual([]);
    back.child.kill('SIGTERM');
    expect(await back.ended).toEqual({ status: 0, signal: null });
    expect((await run('guild', 'list')).stdout).toContain(GUILD_ID);
    expect(filesOfStore()).toEqual(['guildbook.db', COPY]);
  });

  test('--no-copy keeps none', async () => {
    const { cwd, filesOfStore } = await createPlace();
    const server = await startServer({ cwd, program: newer, args: ['--no-copy'] });
    server.child.kill('SIGTERM');
    await server.ended;
    expect(filesOfStore()).toEqual(['guildbook.db']);
  });

  test('logs one line about a new store', async () => {
    const { cwd, store } = await createPlace();
    rmSync(store);
    const server = await startServer({ cwd });
    expect(upgradeLines(server.output)).toEqual([
      { from: 0, to: PRESENT_VERSION, durationMs: expect.any(Number), msg: 'made a new store' },
    ]);
    server.child.kill('SIGTERM');
    await server.ended;
  });
});

test('demo upgrades its sample store without a copy', async () => {
  const { cwd } = await createPlace();
  const served = await startServer({ cwd, command: 'demo' });
  served.child.kill('SIGTERM');
  await served.ended;
  const upgraded = await startServer({ cwd, command: 'demo', program: newer });
  upgraded.child.kill('SIGTERM');
  await upgraded.ended;
  const demo = path.join(cwd, 'data', 'demo.db');
  expect(countRows(demo, 'schema_migration')).toBe(NEWER_VERSION);
  expect(readdirSync(path.dirname(demo)).filter((name) => name.startsWith('demo.db.'))).toEqual([]);
  expect(existsSync(demo)).toBe(true);
});

/** The log lines about the store's schema, without what every line has. */
function upgradeLines(output: readonly string[]): object[] {
  return output
    .filter((line) => line.startsWith('{'))
    .map((line) => {
      const { level: _level, time: _time, pid: _pid, hostname: _host, ...facts } = JSON.parse(line);
      return facts;
    })
    .filter(({ msg }) => /upgrad|copy|new store/.test(msg));
}
