import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { aGuild, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { aClaim, aWebhook } from '../contract/webhook-specimens.ts';
import { untilTrue } from '../support/patience.ts';
import { createDatabase, type TestDatabase } from './database.ts';

const ENDPOINTS = 10_000;
const GUILDS = 2_000;
const LOOKS = 20;
/** Endpoints that a look may read, whether or not they have work. */
const READ_MAX = 300;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await database.query('ALTER TABLE webhook SET (autovacuum_enabled = false)');
  await database.query(
    `INSERT INTO guild SELECT n, 'g' || n, 'G', NULL, NULL, 'none', NULL, true, 0 FROM generate_series(1, ${GUILDS}) n`,
  );
  await database.query(`INSERT INTO guild_ledger (guild_no, last_number) SELECT guild_no, 0 FROM guild`);
  await database.query('INSERT INTO audit_counter (guild_no, last_entry_no) SELECT guild_no, 0 FROM guild');
  await database.query(
    `INSERT INTO webhook (guild_no, webhook_id, kind, url, events, filter, status, created_at, generation, follows_feed,
       follows_audit, follows_people, feed_number, audit_entry_no, people_entry_no, announced_keys, lease_until)
     SELECT 1 + n % ${GUILDS}, 'w' || n, 'standard', 'https://example.org/', '[]', '{}', 'active', 0, 1, true, true, true, 0, 0, 0,
       '[]', 0
     FROM generate_series(1, ${ENDPOINTS}) n`,
  );
  await database.query(`SELECT setval(pg_get_serial_sequence('guild', 'guild_no'), ${GUILDS})`);
  await database.query('VACUUM ANALYZE');
});
afterAll(() => database.remove());

/** Rows of the endpoints' table that all connections together have read. */
async function countRead(): Promise<number> {
  const [row] = await database.query<{ read: string }>(
    "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_user_tables WHERE relname = 'webhook'",
  );
  return Number(row?.read);
}

/** A connection reports its counts at the latest when it ends. */
async function connectionsEnd(): Promise<void> {
  await untilTrue(async () => {
    const [row] = await database.query<{ others: string }>(
      `SELECT count(*) AS others FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND backend_type = 'client backend'`,
    );
    return row?.others === '0';
  });
}

it('a look among 10,000 idle endpoints reads a few hundred of them, and finds the one with an event', async () => {
  const store = await openPostgresStore({
    url: database.url,
    clock: { monotonicMs: () => performance.now() },
  });
  const guild = await store.guilds.set(aGuild({ guildId: 'another' }), CHANGE);
  const webhook = await store.webhooks.insert(aWebhook(guild), CHANGE);
  const before = await countRead();
  await store.ledger.append(aTransaction(guild));
  const claimed: string[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    const found = await store.webhooks.claim(aClaim({ nowMs: NOON_MS + look, untilMs: NOON_MS + 60_000 }));
    claimed.push(...found.map(({ webhookId }) => webhookId));
  }
  await store.close();
  await connectionsEnd();
  expect(claimed).toEqual([webhook.webhookId]);
  expect((await countRead()) - before).toBeLessThan(LOOKS * READ_MAX);
});
