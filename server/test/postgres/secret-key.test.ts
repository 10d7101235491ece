import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { TESTER } from '../support/change.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { describeSecretKeys } from '../webhooks/secret-key-suite.ts';
import { createDatabase } from './database.ts';

describeSecretKeys(createDatabase);

test('a change of a webhook keeps what another instance sealed anew after the change had begun', async () => {
  const database = await createDatabase();
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) };
  const service = await startTestService({ ...settings, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await service.stop();
    await database.remove();
  });
  const guild = await service.addGuild('1');
  const { url } = await startReceiver();
  const order = { url, kind: 'standard', events: ['key.created'] } as const;
  const { webhook } = await service.webhooks.create(guild, order, TESTER);
  await other.query('BEGIN');
  await other.query("UPDATE webhook SET sealed_secret = 'anew', sealed_old_secret = 'old anew'");
  const change = service.webhooks.update(guild, webhook.webhookId, { status: 'disabled' }, TESTER);
  await untilTrue(async () => {
    const waiting = await database.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    return waiting.length > 0;
  });
  await other.query('COMMIT');
  await change;
  expect(await service.store.webhooks.find(guild, webhook.webhookId)).toMatchObject({
    status: 'disabled',
    sealedSecret: 'anew',
    sealedOldSecret: 'old anew',
  });
});
