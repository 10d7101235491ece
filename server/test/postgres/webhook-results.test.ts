import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { aGuild, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { aClaim, anAttempt, aWebhook, progressOf } from '../contract/webhook-specimens.ts';
import { untilTrue } from '../support/patience.ts';
import { createDatabase } from './database.ts';

const GUILDS = 200;
/** Far fewer than one for each endpoint. */
const TRANSACTIONS_MAX = 20;

async function openWithClaims() {
  const database = await createDatabase();
  onTestFinished(() => database.remove());
  const store = await openPostgresStore({
    url: database.url,
    clock: { monotonicMs: () => performance.now() },
  });
  onTestFinished(() => store.close());
  for (let number = 0; number < GUILDS; number += 1) {
    const guild = await store.guilds.set(aGuild({ guildId: `g${number}` }), CHANGE);
    await store.webhooks.insert(aWebhook(guild, { checkAtMs: NOON_MS }), CHANGE);
  }
  const claimed = await store.webhooks.claim(aClaim({ untilMs: NOON_MS + 60_000 }));
  const record = (webhook: (typeof claimed)[number]) =>
    store.webhooks.record(
      progressOf(webhook, 'a', { positions: { feed: 1, audit: 1, people: 1 }, attempts: [anAttempt()] }),
    );
  return { database, store, claimed, record };
}

it('results that arrive together take a few transactions', async () => {
  const { database, claimed, record } = await openWithClaims();
  expect(claimed).toHaveLength(GUILDS);
  // Each transaction that writes takes a number.
  const lastTransaction = async () =>
    Number((await database.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id'))[0]?.id);
  const before = await lastTransaction();
  expect(await Promise.all(claimed.map(record))).toEqual(claimed.map(() => true));
  expect((await lastTransaction()) - before).toBeLessThan(TRANSACTIONS_MAX);
});

it('an endpoint that is locked delays no result but its own', async () => {
  const { database, claimed, record } = await openWithClaims();
  const [locked, ...others] = claimed;
  if (locked === undefined) {
    throw new Error('nothing to claim');
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM webhook WHERE webhook_id = $1 FOR UPDATE', [locked.webhookId]);
    let isLockedWritten = false;
    const waiting = record(locked).then((isWritten) => {
      isLockedWritten = true;
      return isWritten;
    });
    expect(await Promise.all(others.map(record))).toEqual(others.map(() => true));
    await untilTrue(async () => {
      const blocked = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return blocked.length > 0;
    });
    expect(isLockedWritten).toBe(false);
    await client.query('COMMIT');
    expect(await waiting).toBe(true);
  } finally {
    await client.end();
  }
});
