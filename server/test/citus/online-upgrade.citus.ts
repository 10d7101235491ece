import { expect, it, onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import type { UpgradeEvent } from '../../src/store/operations/migrate.ts';
import { OF_A_COMMAND } from '../../src/store/operations/step-runner.ts';
import { finishPostgresSteps } from '../../src/store/postgres/background-steps.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { upgradePostgres } from '../../src/store/postgres/migrate.ts';
import { verifyPostgres } from '../../src/store/postgres/verify.ts';
import { aGuild, aPastTransaction, aTransaction, aVerification, CHANGE } from '../contract/specimens.ts';
import { createDatabase } from '../postgres/database.ts';
import { newerSchema } from '../postgres/newer-schema.ts';
import { openStoreAt } from '../postgres/store.ts';

/** Imported transactions of each guild: several batches, one batch that is not full, and one row. */
const SIZES = [2_600, 700, 1, 1_200];
const PEOPLE = 30;

/** Tables of both kinds: distributed by guild, and with a copy on every machine. */
const LATER = `-- step: expand
ALTER TABLE ledger_transaction ADD COLUMN fills bigint;
ALTER TABLE verification ADD COLUMN fills bigint;
-- step: backfill ledger_transaction by guild_no, account_no, seq
UPDATE ledger_transaction SET fills = coalesce(fills, 0) + 1 WHERE $batch;
-- step: backfill verification by chat_id
UPDATE verification SET fills = coalesce(fills, 0) + 1 WHERE $batch;
-- step: index
CREATE INDEX ledger_by_fills ON ledger_transaction (guild_no, fills);
DROP INDEX verification_by_name;
CREATE INDEX verification_by_name ON verification (name_key, fills);
`;

async function fill(store: Store): Promise<Guild[]> {
  const guilds: Guild[] = [];
  for (const [index, size] of SIZES.entries()) {
    const guild = await store.guilds.set(aGuild({ guildId: `guild ${index}` }), CHANGE);
    const transactions = Array.from({ length: size }, (_, place) =>
      aPastTransaction(guild, { playerId: `player ${place % 7}` }),
    );
    await store.ledger.import(guild, transactions);
    guilds.push(guild);
  }
  const people = Array.from({ length: PEOPLE }, (_, place) =>
    aVerification({ chatId: `chat ${place}`, playerId: `player ${place}` }),
  );
  await store.verifications.put(people, CHANGE);
  return guilds;
}

/** Posts to all guilds, one after the other, until it is stopped. */
function startPosts(store: Store, guilds: readonly Guild[]) {
  let isStopped = false;
  let posted = 0;
  const running = Promise.all(
    guilds.map(async (guild) => {
      while (!isStopped) {
        await store.ledger.append(aTransaction(guild, { playerId: `new ${posted % 5}` }));
        posted += 1;
      }
    }),
  );
  return async () => {
    isStopped = true;
    await running;
    return posted;
  };
}

it('a distributed store is upgraded under posts, and each row is filled once', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const store = await openStoreAt(database.url);
  const guilds = await fill(store);
  const stopPosts = startPosts(store, guilds);
  const place = parseDatabaseUrl(database.url);
  const schema = newerSchema(LATER);
  const events: UpgradeEvent[] = [];
  expect(await upgradePostgres(place, { schema })).toMatchObject({
    applied: [{ name: 'later' }],
    hasUnfinished: true,
  });
  const finish = (stop: AbortController) =>
    finishPostgresSteps(place, schema.steps, {
      pace: OF_A_COMMAND,
      onEvent(event) {
        events.push(event);
        if (event.kind === 'backfilling' && event.done > 0) {
          stop.abort();
        }
      },
      stop: stop.signal,
    });
  // The first run is cut off after its first rows.
  await expect(finish(new AbortController())).rejects.toThrow('aborted');
  const [left] = await database.query('SELECT rows_done::int AS done FROM schema_step WHERE rows_done > 0');
  expect(left?.done).toBeGreaterThan(0);
  expect(left?.done).toBeLessThan(SIZES[0] ?? 0);
  await finishPostgresSteps(place, schema.steps, {
    pace: OF_A_COMMAND,
    onEvent: (event) => events.push(event),
    stop: new AbortController().signal,
  });
  expect(await stopPosts()).toBeGreaterThan(0);
  expect(
    events.flatMap((event) => (event.kind === 'completed' ? event.step.replace(/^\d+ /, '') : [])),
  ).toEqual(['later, backfill of ledger_transaction', 'later, backfill of verification', 'later, index']);
  expect(
    await database.query(
      `SELECT t.fills::int AS fills, count(*)::int AS count FROM ledger_transaction AS t JOIN account AS a USING (guild_no, account_no)
       WHERE a.player_id LIKE 'player %' GROUP BY 1`,
    ),
  ).toEqual([{ fills: 1, count: SIZES.reduce((sum, size) => sum + size, 0) }]);
  expect(
    await database.query('SELECT fills::int AS fills, count(*)::int AS count FROM verification GROUP BY 1'),
  ).toEqual([{ fills: 1, count: PEOPLE }]);
  const [indexes] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM run_command_on_shards('ledger_transaction',
       $$SELECT bool_and(indisvalid) FROM pg_index WHERE indexrelid::regclass::text LIKE 'ledger_by_fills%%'$$) WHERE result = 't'`,
  );
  expect(indexes?.count).toBeGreaterThan(0);
  await store.close();
  // Verifying needs the schema of this program.
  await database.query(`DELETE FROM schema_migration WHERE name = 'later'`);
  expect(await verifyPostgres(place, () => {})).toEqual([]);
});
