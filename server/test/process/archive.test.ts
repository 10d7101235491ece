import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { readArchive } from '../contract/archive-specimens.ts';
import { aPastTransaction } from '../contract/specimens.ts';
import { depth } from '../support/depth.ts';
import { LONG_TEST } from '../support/patience.ts';
import { type CommandPlace, createCommandPlace, GUILD_ID } from './command-place.ts';

const FIRST_MS = Date.parse('2024-01-01T00:00:00Z');
const BEFORE = '2025-01-01';
const KILLS = depth({ normal: 4, deep: 30 });

/** Two transactions a day for two years. The first ones are older than `BEFORE`. */
async function fill(place: CommandPlace, perDay = 2): Promise<number> {
  return place.withToolbox(async ({ store, guilds }) => {
    const guild = await guilds.find(GUILD_ID);
    const transactions = Array.from({ length: 730 * perDay }, (_, index) =>
      aPastTransaction(guild, {
        playerId: `player ${index % 9}`,
        amountUnits: index + 1,
        createdAtMs: FIRST_MS + Math.floor(index / perDay) * DAY_MS,
      }),
    );
    await store.ledger.import(guild, transactions);
    return 366 * perDay;
  });
}

test('archives a year, checks its file, and verifies the rest', async () => {
  const place = await createCommandPlace();
  const count = await fill(place);
  const plan = await place.run('archive', '--before', BEFORE, '--dry-run');
  expect(plan.stdout).toContain(`Guild ${GUILD_ID}, 2024: ${count} transactions`);
  expect(place.has('archive')).toBe(false);
  const done = await place.run('archive', '--before', BEFORE, '--out', 'old');
  const file = path.join('old', `${GUILD_ID}-2024-after-0.jsonl.gz`);
  expect([done.status, done.stdout]).toEqual([0, expect.stringContaining(`archived in ${file}`)]);
  expect(place.count('ledger_transaction')).toBe(730 * 2 - count);
  const check = await place.run('archive', '--check', file);
  expect([check.status, check.stdout]).toEqual([0, expect.stringContaining(`${count} transactions`)]);
  expect(await place.run('verify')).toMatchObject({ status: 0 });
  const again = await place.run('archive', '--before', BEFORE, '--out', 'old');
  expect(again.stdout).toContain(`No guild has transactions from before ${BEFORE} to archive.`);
});

test('refuses a day of the last year, and a file that is damaged', async () => {
  const place = await createCommandPlace();
  const late = new Date(Date.now() - 300 * DAY_MS).toISOString().slice(0, 10);
  const refused = await place.run('archive', '--before', late);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('or earlier')]);
  place.write('file.jsonl.gz', 'no archive');
  expect(await place.run('archive', '--check', 'file.jsonl.gz')).toMatchObject({ status: 1 });
  expect(await place.run('archive')).toMatchObject({ status: 2 });
});

test(`${KILLS} kills at any moment lose and double nothing`, LONG_TEST, async () => {
  const place = await createCommandPlace();
  const count = await fill(place, 14);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const { child, ended } = place.start('archive', '--before', BEFORE);
    // Starting takes most of a second; files and rows are written after that.
    await pause(400 + (kill * 1_200) / KILLS);
    child.kill('SIGKILL');
    await ended;
    expect(await place.run('verify')).toMatchObject({ status: 0 });
  }
  expect(await place.run('archive', '--before', BEFORE)).toMatchObject({ status: 0 });
  expect(await place.run('verify')).toMatchObject({ status: 0 });
  expect(place.count('ledger_transaction')).toBe(730 * 14 - count);
  const folder = path.join(place.cwd, 'archive');
  const numbers = readArchive(folder).map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(readdirSync(folder)).toEqual([`${GUILD_ID}-2024-after-0.jsonl.gz`]);
});
