import { afterAll, beforeAll, expect, test } from 'vitest';
import { aClaim } from '../contract/webhook-specimens.ts';
import { createTestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';
import type { TestService } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED, createGuild, type StartWebhookService } from './webhook-guild.ts';

const HOUR_MS = 3_600_000;

/** Changes and deliveries that meet, on whichever store. */
export function describeWebhookRaces(start: StartWebhookService): void {
  let service: TestService;
  /** Each look-up of a name waits for the test. */
  const lookups: { hostname: string; answer: (address: string) => void }[] = [];
  beforeAll(async () => {
    service = await start(ALLOWED, {
      clock: createTestClock(Date.now()),
      webhooks: {
        lookup: (hostname) =>
          new Promise((resolve) => {
            lookups.push({ hostname, answer: (address) => resolve([{ address }]) });
          }),
      },
    });
  });
  afterAll(() => service.stop());

  test('an endpoint that is disabled while a change activates it does not get what happened meanwhile', async () => {
    let status = 410;
    const receiver = await startReceiver((response) => response.writeHead(status).end());
    const guild = await createGuild(service);
    const { id } = await guild.create(receiver);
    // The change has read the active endpoint and waits for its new name.
    const url = receiver.url.replace('127.0.0.1', 'moved.example');
    const changing = guild.ask('PUT', `/guild/webhooks/${id}`, { url, status: 'active' });
    await untilTrue(() => lookups.length === 1);
    await guild.post({ playerId: 'gone' });
    await untilTrue(async () => (await guild.show(id)).webhook.status === 'disabled');
    await guild.post({ playerId: 'meanwhile' });
    status = 204;
    lookups[0]?.answer('127.0.0.1');
    expect((await changing).body.data.webhook).toMatchObject({ url, status: 'active' });
    await guild.post({ playerId: 'later' });
    await untilTrue(() => lookups.length === 2);
    lookups[1]?.answer('127.0.0.1');
    await receiver.until(2);
    expect(receiver.deliveries.map(({ json }) => json.data.playerId)).toEqual(['gone', 'later']);
  });

  test('two changes of different fields at once both take effect', async () => {
    const receiver = await startReceiver();
    const guild = await createGuild(service);
    const { id } = await guild.create(receiver);
    const before = lookups.length;
    const url = receiver.url.replace('127.0.0.1', 'moved.example');
    const moving = guild.ask('PUT', `/guild/webhooks/${id}`, { url });
    await untilTrue(() => lookups.length > before);
    await guild.ask('PUT', `/guild/webhooks/${id}`, { events: ['discharge.*'], filter: { playerId: 'p1' } });
    lookups[before]?.answer('127.0.0.1');
    expect((await moving).body.data.webhook).toMatchObject({
      url,
      events: ['discharge.*'],
      filter: { playerId: 'p1' },
    });
  });

  test('warnings of expiring keys renew the lease: nobody else gets the endpoint while they are sent', async () => {
    const stolen: unknown[] = [];
    const receiver = await startReceiver(async (response) => {
      // As long as an endpoint may take to answer.
      service.clock.advance(19_000);
      const nowMs = service.clock.nowMs();
      stolen.push(
        ...(await service.store.webhooks.claim(aClaim({ holder: 'thief', nowMs, untilMs: nowMs + 1 }))),
      );
      response.writeHead(204).end();
    });
    const guild = await createGuild(service);
    for (let count = 0; count < 4; count += 1) {
      await service.addKey(guild.guildId, ['guild:read'], HOUR_MS);
    }
    await guild.create(receiver, { events: ['key.expiring'] });
    await receiver.until(4);
    expect(stolen).toEqual([]);
    expect(new Set(receiver.deliveries.map(({ id }) => id)).size).toBe(4);
  });
}
