import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/domain/model.ts';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';
import type { TestService } from '../support/service.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED, createGuild, type StartWebhookService } from './webhook-guild.ts';

/** The events that a key may have delivered, and for how long, on any store. */
export function describeWebhookKeys(start: StartWebhookService): void {
  let service: TestService;
  const lookups: ((address: string) => void)[] = [];
  beforeAll(async () => {
    service = await start(ALLOWED, {
      clock: createTestClock(Date.now()),
      webhooks: {
        lookup: () =>
          new Promise((resolve) => {
            lookups.push((address) => resolve([{ address }]));
          }),
      },
    });
  });
  afterAll(() => service.stop());

  async function addKey(guildId: string, scopes: readonly Scope[]) {
    const { keyId, value } = await service.addKey(guildId, scopes);
    const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
      service.send({ method, url, key: value, ...(payload && { payload }) });
    const create = (receiver: Pick<Receiver, 'url'>, events: string[]) =>
      send('POST', '/guild/webhooks', { url: receiver.url, kind: 'standard', events });
    return { keyId, send, create };
  }

  test.each([
    ['transaction.posted', 'guild:read'],
    ['payment.posted', 'guild:read'],
    ['balance.below', 'guild:read'],
    ['discharge.*', 'guild:read'],
    ['transfer.created', 'guild:read'],
    ['verification.changed', 'users:read'],
  ] as const)('%s needs %s', async (event, scope) => {
    const receiver = await startReceiver();
    const guild = await createGuild(service);
    const others = (['guild:read', 'users:read'] as const).filter((one) => one !== scope);
    const weak = await addKey(guild.guildId, ['webhooks:manage', ...others]);
    const refused = await weak.create(receiver, ['key.created', event]);
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({
      success: false,
      message: `Forbidden - missing required scope: ${scope}`,
      code: 'missing_scope',
    });
    const able = await addKey(guild.guildId, ['webhooks:manage', scope]);
    const { id } = (await able.create(receiver, ['key.created', event])).body.data.webhook;
    // A key that may not read the events can neither have them sent elsewhere nor enable them nor add them.
    const url = `/guild/webhooks/${id}`;
    for (const change of [
      { url: `${receiver.url}/elsewhere` },
      { status: 'active' },
      { events: ['key.*'] },
    ]) {
      expect((await weak.send('PUT', url, change)).body.code).toBe('missing_scope');
    }
    const keysOnly = await weak.create(receiver, ['key.*']);
    expect(keysOnly.status).toBe(200);
    const widening = await weak.send('PUT', `/guild/webhooks/${keysOnly.body.data.webhook.id}`, {
      events: [event],
    });
    expect(widening.body.code).toBe('missing_scope');
  });

  test('deleting a key disables the webhooks that it made or changed last, and no others', async () => {
    const receiver = await startReceiver();
    const guild = await createGuild(service);
    const key = await addKey(guild.guildId, ['webhooks:manage', 'guild:read']);
    const other = await guild.create(receiver);
    const changed = await guild.create(receiver);
    const { id: made } = (await key.create(receiver, ['transaction.posted'])).body.data.webhook;
    await key.send('PUT', `/guild/webhooks/${changed.id}`, { filter: { playerId: 'p1' } });
    const deleted = await service.keys.delete(key.keyId, TESTER);
    expect(deleted.map(({ webhookId }) => webhookId).toSorted()).toEqual([made, changed.id].toSorted());
    const statusOf = async (id: string) => (await guild.show(id)).webhook.status;
    expect(await statusOf(made)).toBe('disabled');
    expect(await statusOf(changed.id)).toBe('disabled');
    expect(await statusOf(other.id)).toBe('active');
    await guild.post({ playerId: 'p1' });
    await receiver.until(1);
    // The one that is left got it; what the key made got nothing.
    expect((await guild.show(made)).attempts).toEqual([]);
    // Another key can enable it again.
    await guild.ask('PUT', `/guild/webhooks/${made}`, { status: 'active' });
    expect(await statusOf(made)).toBe('active');
  });

  test('webhooks are kept when that is asked for', async () => {
    const receiver = await startReceiver();
    const guild = await createGuild(service);
    const key = await addKey(guild.guildId, ['webhooks:manage', 'guild:read']);
    const { id } = (await key.create(receiver, ['transaction.posted'])).body.data.webhook;
    expect((await key.send('DELETE', '/guild/key?keepWebhooks=maybe')).status).toBe(400);
    expect((await key.send('DELETE', '/guild/key?keepWebhooks=true')).status).toBe(200);
    expect((await guild.show(id)).webhook.status).toBe('active');
    const another = await addKey(guild.guildId, ['webhooks:manage', 'guild:read']);
    const second = (await another.create(receiver, ['transaction.posted'])).body.data.webhook;
    expect((await another.send('DELETE', '/guild/key')).status).toBe(200);
    expect((await guild.show(second.id)).webhook.status).toBe('disabled');
  });

  test('a key that is deleted while its webhook is being made leaves none that delivers', async () => {
    const receiver = await startReceiver();
    const guild = await createGuild(service);
    const key = await addKey(guild.guildId, ['webhooks:manage', 'guild:read']);
    const url = receiver.url.replace('127.0.0.1', 'slow.example');
    const creating = key.create({ url }, ['transaction.posted']);
    await untilTrue(() => lookups.length > 0);
    await service.keys.delete(key.keyId, TESTER);
    lookups[0]?.('127.0.0.1');
    expect((await creating).status).toBe(401);
    const { webhooks } = (await guild.ask('GET', '/guild/webhooks')).body.data;
    expect(webhooks.map(({ status }: { status: string }) => status)).toEqual(['disabled']);
  });
}
