import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED, createGuild } from '../webhooks/webhook-guild.ts';
import { describeWebhookRaces } from '../webhooks/webhook-race-suite.ts';
import { createDatabase } from './database.ts';
import { startOnPostgres } from './webhook-service.ts';

describeWebhookRaces(startOnPostgres);

test('a change does not write back a failure that a delivery cleared at the same moment', async () => {
  const database = await createDatabase();
  const settings = { ...ALLOWED, DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) };
  const service = await startTestService(settings, { clock: createTestClock(Date.now()) });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const receiver = await startReceiver((response) => response.writeHead(500).end());
    const guild = await createGuild(service);
    const { id } = await guild.create(receiver);
    await guild.post();
    await guild.untilAttempts(id, 1);
    const failingSince = async () =>
      (await database.query<{ since: string | null }>('SELECT failing_since AS since FROM webhook'))[0]
        ?.since;
    expect(await failingSince()).not.toBeNull();
    // A delivery that succeeds clears the failure; its commit comes while the change is under way.
    await client.query('BEGIN');
    await client.query('UPDATE webhook SET failing_since = NULL');
    const changing = guild.ask('PUT', `/guild/webhooks/${id}`, { filter: { playerId: 'p1' } });
    await untilTrue(async () => {
      const waiting = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await client.query('COMMIT');
    expect((await changing).status).toBe(200);
    expect(await failingSince()).toBeNull();
  } finally {
    await client.end();
    await service.stop();
    await database.remove();
  }
});
