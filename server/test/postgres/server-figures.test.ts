import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { repeatedly } from '../../src/store/postgres/transactions.ts';
import { Conflict } from '../../src/store/sql.ts';
import { aGuild, aTransaction, CHANGE } from '../contract/specimens.ts';
import { scrape, seriesOf } from '../support/metrics.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';
import { createDatabase } from './database.ts';
import { createPostgresServer } from './server.ts';
import { openOwnStore, openStoreAt } from './store.ts';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it('the oldest open transaction of the database is shown, and 0 when there is none', async () => {
  const { store, database } = await openOwnStore();
  expect(await store.figures.server()).toMatchObject({
    oldestTransactionSeconds: 0,
    replicationLagBytes: undefined,
  });
  const client = await connect(database.url);
  await client.query('BEGIN');
  const oldest = async () => (await store.figures.server())?.oldestTransactionSeconds ?? 0;
  await untilTrue(async () => (await oldest()) > 0.05);
  await client.query('COMMIT');
  expect(await oldest()).toBe(0);
});

it('live and dead rows of tables that are updated often are counted', async () => {
  const { store, database } = await openOwnStore();
  await database.query('ALTER TABLE account SET (autovacuum_enabled = false)');
  const guild = await store.guilds.set(aGuild(), CHANGE);
  for (let post = 0; post < 20; post += 1) {
    await store.ledger.append(aTransaction(guild));
  }
  const rowsOf = async (table: string) =>
    (await store.figures.server())?.tables.find((one) => one.table === table);
  await untilTrue(async () => ((await rowsOf('account'))?.dead ?? 0) > 5);
  expect(await rowsOf('account')).toMatchObject({ live: 1 });
  expect(await rowsOf('ledger_transaction')).toBeUndefined();
});

it('a standby that does not replay is behind by the WAL that it lacks', async () => {
  const primary = await createPostgresServer({});
  onTestFinished(primary.remove);
  const standby = await createPostgresServer({ standbyOf: primary });
  onTestFinished(standby.remove);
  const store = await openStoreAt(primary.url('postgres'));
  const lag = async () => (await store.figures.server())?.replicationLagBytes;
  await untilTrue(async () => (await lag()) === 0);
  const onStandby = await connect(standby.url('postgres'));
  await onStandby.query('SELECT pg_wal_replay_pause()');
  await store.guilds.set(aGuild(), CHANGE);
  await untilTrue(async () => ((await lag()) ?? 0) > 100);
  await onStandby.query('SELECT pg_wal_replay_resume()');
  await untilTrue(async () => (await lag()) === 0);
});

it('waits for a connection are reported by pool, and only when all are in use', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const waits: { pool: string; durationMs: number }[] = [];
  const url = new URL(database.url);
  url.searchParams.set('connections', '1');
  const store = await openStoreAt(url.href, {
    onPoolWait: (pool, durationMs) => waits.push({ pool, durationMs }),
  });
  await store.guilds.find('nobody');
  await store.guilds.find('nobody');
  expect(waits).toEqual([]);
  await Promise.all(Array.from({ length: 5 }, () => store.guilds.find('nobody')));
  expect(waits.map(({ pool }) => pool)).toEqual(['read', 'read', 'read', 'read']);
  expect(Math.min(...waits.map(({ durationMs }) => durationMs))).toBeGreaterThan(0);
});

it('posts that another transaction held up are reported as busy', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const repeats: string[] = [];
  const store = await openStoreAt(database.url, { onRepeat: (reason) => repeats.push(reason) });
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await store.ledger.append(aTransaction(guild));
  expect(repeats).toEqual([]);
  const client = await connect(database.url);
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM guild_ledger WHERE guild_no = $1 FOR UPDATE', [guild.guildNo]);
  const post = store.ledger.append(aTransaction(guild));
  await untilTrue(() => repeats.length > 0);
  await client.query('COMMIT');
  await post;
  expect(repeats).toEqual(['busy']);
});

it('each repetition after a conflict is reported', async () => {
  let attempts = 0;
  let conflicts = 0;
  const result = await repeatedly(
    async () => {
      attempts += 1;
      if (attempts < 3) {
        throw new Conflict('another was first');
      }
      return 'done';
    },
    () => {
      conflicts += 1;
    },
  );
  expect({ result, conflicts }).toEqual({ result: 'done', conflicts: 2 });
});

it('a service on PostgreSQL shows the figures of its server, and one on SQLite does not', async () => {
  const database = await createDatabase();
  const onServer = await startTestService({ DATABASE_URL: database.url });
  const embedded = await startTestService();
  try {
    const text = await scrape(onServer);
    expect(seriesOf(text, 'guildbook_oldest_transaction_seconds')).toBeGreaterThanOrEqual(0);
    expect(seriesOf(text, 'guildbook_table_rows{table="account",state="dead"}')).toBe(0);
    onServer.metrics.connectionEvents.onPoolWait('read', 20);
    onServer.metrics.connectionEvents.onRepeat('busy');
    const counted = await scrape(onServer);
    expect(seriesOf(counted, 'guildbook_pool_wait_seconds_sum{pool="read"}')).toBeGreaterThanOrEqual(0.02);
    expect(seriesOf(counted, 'guildbook_repeated_total{reason="busy"}')).toBe(1);
    expect(await scrape(embedded)).not.toMatch(
      /^guildbook_(?:table_rows|oldest_transaction|pool_wait)\S* \d/m,
    );
  } finally {
    await Promise.all([onServer.stop(), embedded.stop()]);
    await database.remove();
  }
});
