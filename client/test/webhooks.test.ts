import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyDelivery } from '../../server/test/support/verify-delivery.ts';
import { startReceiver } from '../../server/test/support/webhook-receiver.ts';
import { type Place, startPlace } from './support/place.ts';

let place: Place;
beforeAll(async () => {
  place = await startPlace({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
});
afterAll(() => place.stop());

test('webhooks are made, listed, changed, tested, rotated and deleted', async () => {
  const guildbook = place.connect();
  const receiver = await startReceiver();
  const { webhook, secret } = await guildbook.createWebhook({
    url: receiver.url,
    kind: 'standard',
    events: ['transaction.posted'],
    filter: { minTotal: 5 },
  });
  expect(await guildbook.listWebhooks()).toEqual([webhook]);
  const attempt = await guildbook.testWebhook(webhook.id);
  expect(attempt).toMatchObject({ type: 'webhook.test', status: 204, error: null });
  const [delivery] = await receiver.until(1);
  expect(delivery && verifyDelivery(secret ?? '', delivery)).toMatchObject({ type: 'webhook.test' });
  expect(await guildbook.getWebhook(webhook.id)).toEqual({ webhook, attempts: [attempt] });

  const rotated = await guildbook.rotateWebhook(webhook.id);
  expect(rotated.secret).not.toBe(secret);
  await guildbook.replayWebhook(webhook.id, { since: new Date(Date.now() - 60_000).toISOString() });
  await expect(guildbook.replayWebhook(webhook.id, { eventId: 'evt_none' })).rejects.toMatchObject({
    kind: 'not-found',
  });
  const changed = await guildbook.changeWebhook(webhook.id, { status: 'disabled', filter: {} });
  expect(changed).toMatchObject({ status: 'disabled', filter: {}, events: ['transaction.posted'] });
  await guildbook.deleteWebhook(webhook.id);
  await expect(guildbook.getWebhook(webhook.id)).rejects.toMatchObject({ kind: 'not-found' });
});
