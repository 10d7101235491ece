import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import type { Guild } from '../../src/domain/model.ts';
import { readArchive } from '../contract/archive-specimens.ts';
import { aGuild, aPastTransaction, aTransaction, CHANGE } from '../contract/specimens.ts';
import { createDatabase } from '../postgres/database.ts';
import { openStoreAt } from '../postgres/store.ts';
import { createFolder } from '../support/folder.ts';
import { storeSettings } from '../support/load.ts';
import { runCommand } from '../support/process.ts';

const GUILDS = 5;
const DAYS = 730;
const FIRST_MS = Date.parse('2024-01-01T00:00:00Z');
const BEFORE = '2025-01-01';
const OLD = 366;

it('guildbook archive takes a year of every guild out of a distributed store while posts go on', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const store = await openStoreAt(database.url);
  const guilds: Guild[] = [];
  for (let index = 0; index < GUILDS; index += 1) {
    const guild = await store.guilds.set(aGuild({ guildId: `guild-${index}` }), CHANGE);
    const transactions = Array.from({ length: DAYS }, (_, day) =>
      aPastTransaction(guild, {
        playerId: `player ${day % 9}`,
        amountUnits: day + 1,
        createdAtMs: FIRST_MS + day * DAY_MS,
      }),
    );
    await store.ledger.import(guild, transactions);
    guilds.push(guild);
  }
  const cwd = createFolder();
  const run = (...args: string[]) => runCommand(args, { cwd, env: storeSettings(database.url) });
  let isOver = false;
  let posted = 0;
  const posting = (async () => {
    while (!isOver) {
      await Promise.all(guilds.map((guild) => store.ledger.append(aTransaction(guild))));
      posted += 1;
    }
  })();
  const done = await run('archive', '--before', BEFORE, '--out', 'old');
  isOver = true;
  await posting;
  expect([done.status, done.stderr]).toEqual([0, expect.any(String)]);
  expect(posted).toBeGreaterThan(0);
  const archived = readArchive(path.join(cwd, 'old'));
  expect(archived).toHaveLength(GUILDS * OLD);
  expect(
    await database.query(
      `SELECT guild_no::int AS guild, count(*)::int AS count FROM ledger_transaction GROUP BY 1 ORDER BY 1`,
    ),
  ).toEqual(guilds.map(({ guildNo }) => ({ guild: guildNo, count: DAYS - OLD + posted })));
  for (const guild of guilds) {
    expect(await store.entries.archivedNumber(guild)).toBe(OLD);
  }
  await store.close();
  expect(await run('verify')).toMatchObject({ status: 0 });
});
