import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PastTransaction } from '../../src/domain/model.ts';
import { aKey, aKeyRequest } from '../contract/specimens.ts';
import { DISCHARGE } from '../http/filled-service.ts';
import { changeAt, TESTER } from '../support/change.ts';
import { type CommandPlace, createCommandPlace, GUILD_ID, pastTransaction } from './command-place.ts';

async function fill(place: CommandPlace): Promise<void> {
  await place.withToolbox(async ({ store, guilds }) => {
    const other = await guilds.set({ guildId: '9', name: 'Other' }, TESTER);
    const guild = await guilds.find(GUILD_ID);
    const change = changeAt(Date.now());
    await store.discharges.put(guild, [DISCHARGE, { ...DISCHARGE, id: 'dis_0' }], change);
    await store.discharges.put(other, [{ ...DISCHARGE, guildId: '9' }], change);
  });
}

describe('export', () => {
  test('prints nothing but the data, by default as JSON, ordered by guild and id', async () => {
    const place = await createCommandPlace();
    await fill(place);
    const result = await place.run('export', 'discharges');
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual([
      { ...DISCHARGE, id: 'dis_0' },
      DISCHARGE,
      { ...DISCHARGE, guildId: '9' },
    ]);
    expect(await place.run('export', 'discharges', '--out', '-')).toEqual(result);
  });

  test("--guild gives one guild's records, and an unknown one is an error", async () => {
    const place = await createCommandPlace();
    await fill(place);
    const [one, unknown] = await Promise.all([
      place.run('export', 'discharges', '--guild', '9', '--format', 'ndjson'),
      place.run('export', 'discharges', '--guild', 'nobody', '--out', 'd.csv'),
    ]);
    expect(one.stdout).toBe(`${JSON.stringify({ ...DISCHARGE, guildId: '9' })}\n`);
    expect(unknown).toEqual({ status: 1, stdout: '', stderr: 'guildbook: there is no guild nobody\n' });
    expect(readdirSync(place.cwd)).toEqual(['data']);
  });

  test('has the requests of keys that are kept, with the names of the keys', async () => {
    const place = await createCommandPlace();
    const expected = await place.withToolbox(async ({ store, guilds }) => {
      const guild = await guilds.find(GUILD_ID);
      const key = aKey(guild, { name: 'Shop bot' });
      await store.keys.insert(key, changeAt(Date.now()));
      const { keyNo = -1 } = (await store.keys.findByHash(key.hash)) ?? {};
      const { keyNo: _, atMs, isOfAll: __, ...request } = aKeyRequest(keyNo);
      await store.requests.add([aKeyRequest(keyNo)]);
      const at = new Date(atMs).toISOString();
      return { ...request, at, guildId: GUILD_ID, keyId: key.keyId, keyName: 'Shop bot' };
    });
    const [one, none] = await Promise.all([
      place.run('export', 'requests', '--guild', GUILD_ID),
      place.run('import', 'requests', 'requests.json'),
    ]);
    expect(one).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(one.stdout)).toEqual([expected]);
    expect(none.stderr).toContain('discharges, transfers, verifications, commands, transactions');
  });

  test("a file's name tells its format, and --format goes before it", async () => {
    const place = await createCommandPlace();
    await fill(place);
    const [csv, forced] = await Promise.all([
      place.run('export', 'discharges', '--out', 'd.csv'),
      place.run('export', 'discharges', '--out', 'forced.csv', '--format', 'ndjson'),
    ]);
    expect(csv).toEqual({ status: 0, stdout: '', stderr: '3 records written to d.csv\n' });
    expect(forced.status).toBe(0);
    expect(place.read('d.csv').split('\r\n')[0]).toBe(Object.keys(DISCHARGE).join(','));
    expect(JSON.parse(place.read('forced.csv').split('\n')[1] ?? '')).toEqual(DISCHARGE);
    expect(readdirSync(place.cwd).sort()).toEqual(['d.csv', 'data', 'forced.csv']);
  });

  test('of nothing is an empty list, and a header alone in CSV', async () => {
    const place = await createCommandPlace();
    const [json, csv] = await Promise.all([
      place.run('export', 'commands'),
      place.run('export', 'verifications', '--format', 'csv'),
    ]);
    expect(JSON.parse(json.stdout)).toEqual([]);
    expect(csv.stdout).toBe('chatId,playerId,username,pastUsers\r\n');
  });

  test('into a folder that is not there fails in words', async () => {
    const place = await createCommandPlace();
    const result = await place.run('export', 'discharges', '--out', 'nowhere/d.csv');
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toMatch(
      /^guildbook: there is no folder .*nowhere\n {2}Make it first: mkdir -p .*nowhere\n$/,
    );
  });

  test('does not overwrite a file, unless it is given --force', async () => {
    const place = await createCommandPlace();
    place.write('c.json', 'the export of yesterday');
    expect(await place.run('export', 'commands', '--out', 'c.json')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'guildbook: c.json exists already: give --force to overwrite it\n',
    });
    expect(place.read('c.json')).toBe('the export of yesterday');
    const forced = await place.run('export', 'commands', '--out', 'c.json', '--force');
    expect(forced).toMatchObject({ status: 0, stderr: '0 records written to c.json\n' });
    expect(JSON.parse(place.read('c.json'))).toEqual([]);
  });

  test('never takes the place of anything but a file', async () => {
    const place = await createCommandPlace();
    const pipe = path.join(place.cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const target of ['data', 'pipe']) {
      const result = await place.run('export', 'commands', '--force', '--out', target);
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toContain(`${target} is not a regular file`);
    }
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test('killed in the middle leaves the file that was there before', async () => {
    const place = await createCommandPlace();
    await importHistory(place);
    place.write('out.csv', 'the export of yesterday');
    // A pipe in the place of the unfinished file holds the export in the middle for as long as nobody reads on.
    const pipe = path.join(place.cwd, 'out.csv.unfinished');
    execFileSync('mkfifo', [pipe]);
    const { child, ended } = place.start('export', 'transactions', '--force', '--out', 'out.csv');
    const reading = createReadStream(pipe, { highWaterMark: 1_024 });
    await once(reading, 'readable');
    child.kill('SIGKILL');
    await ended;
    reading.destroy();
    expect(place.read('out.csv')).toBe('the export of yesterday');
    rmSync(pipe);
    const again = await place.run('export', 'transactions', '--force', '--out', 'out.csv');
    expect(again).toMatchObject({ status: 0 });
    expect(place.read('out.csv').trimEnd().split('\r\n')).toHaveLength(5_001);
    expect(place.has('out.csv.unfinished')).toBe(false);
  });

  test('stopped by Ctrl-C says what is left', async () => {
    const place = await createCommandPlace();
    await importHistory(place);
    const { child, ended } = place.start('export', 'transactions');
    // It cannot come to its end while nobody reads on.
    await once(child.stdout, 'data');
    child.stdout.pause();
    child.kill('SIGINT');
    child.stdout.resume();
    expect(await ended).toMatchObject({ status: 1, stderr: 'guildbook: stopped: the output ends early\n' });
  });

  test('into a pipe whose reader has seen enough ends without a word', async () => {
    const place = await createCommandPlace();
    await importHistory(place);
    const { child, ended } = place.start('export', 'transactions');
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await ended).toMatchObject({ status: 0, stderr: '' });
  });
});

async function importHistory(place: CommandPlace): Promise<void> {
  await place.withToolbox(async ({ store, guilds }) => {
    const past = Array.from({ length: 5_000 }, (_, index) => ({
      ...pastTransaction(index),
      amountUnits: 1,
      totalUnits: 1,
      quantity: 1,
      createdAtMs: index,
    }));
    // The fields of an exchange file, with exact amounts and times in the place of its numbers and texts.
    await store.ledger.import(await guilds.find(GUILD_ID), past as unknown as PastTransaction[]);
  });
}
