import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestClock } from '../support/clock.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { verifyDelivery } from '../support/verify-delivery.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED, createGuild, type StartWebhookService } from './webhook-guild.ts';

/** Webhooks as their guild manages them, through the whole service. */
export function describeWebhookEndpoints(start: StartWebhookService = startTestService): void {
  describe('deliveries', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await start(ALLOWED, { clock: createTestClock(Date.now()) });
    });
    afterAll(() => service.stop());

    test('while a secret is rotated both verify, and later the new one alone', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      const { id, secret } = await guild.create(receiver);
      const rotated = (await guild.ask('POST', `/guild/webhooks/${id}/rotate`)).body.data;
      expect(rotated.secret).not.toBe(secret);
      await guild.post();
      const [delivery] = await receiver.until(1);
      if (delivery === undefined) {
        throw new Error('nothing came');
      }
      expect(String(delivery.headers['webhook-signature']).split(' ')).toHaveLength(2);
      expect(verifyDelivery(secret, delivery)).toEqual(delivery.json);
      expect(verifyDelivery(rotated.secret, delivery)).toEqual(delivery.json);
    });

    test('a test is delivered at once and tells what came of it', async () => {
      const receiver = await startReceiver((response) =>
        response.writeHead(500).end('out of <b>order</b>\u202e'),
      );
      const guild = await createGuild(service);
      const { id, secret } = await guild.create(receiver);
      const reply = await guild.ask('POST', `/guild/webhooks/${id}/test`);
      expect(reply.body.data.attempt).toMatchObject({
        type: 'webhook.test',
        status: 500,
        error: 'answered 500: out of <b>order</b>',
      });
      const [delivery] = receiver.deliveries;
      expect(delivery && verifyDelivery(secret, delivery)).toMatchObject({ type: 'webhook.test' });
      expect((await guild.show(id)).attempts).toHaveLength(1);
    });

    test('tests of webhooks are limited for all webhooks of a guild together', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      const endpoints = [await guild.create(receiver), await guild.create(receiver)];
      const askForTest = (turn: number) =>
        guild.ask('POST', `/guild/webhooks/${endpoints[turn % 2]?.id}/test`);
      for (let turn = 0; turn < 20; turn += 1) {
        expect((await askForTest(turn)).status).toBe(200);
      }
      const refused = await askForTest(0);
      expect(refused.status).toBe(429);
      expect(refused.body.code).toBe('rate_limited');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(receiver.deliveries).toHaveLength(20);
      const stranger = await createGuild(service);
      const { id } = await stranger.create(receiver);
      expect((await stranger.ask('POST', `/guild/webhooks/${id}/test`)).status).toBe(200);
    });

    test('an endpoint is listed, changed and deleted by its own guild alone', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      const stranger = await createGuild(service);
      const { id, webhook } = await guild.create(receiver);
      const url = `/guild/webhooks/${id}`;
      expect((await guild.ask('GET', '/guild/webhooks')).body.data).toEqual({ webhooks: [webhook] });
      expect((await stranger.ask('GET', '/guild/webhooks')).body.data).toEqual({ webhooks: [] });
      for (const [method, path] of [
        ['GET', url],
        ['PUT', url],
        ['DELETE', url],
        ['POST', `${url}/test`],
        ['POST', `${url}/rotate`],
      ] as const) {
        const reply = await stranger.ask(method, path, method === 'PUT' ? { status: 'disabled' } : undefined);
        expect(reply.body).toEqual({
          success: false,
          message: 'Webhook not found',
          code: 'webhook_not_found',
        });
      }
      const changed = await guild.ask('PUT', url, {
        events: ['discharge.*'],
        filter: {},
        status: 'disabled',
      });
      expect(changed.body.data.webhook).toEqual({ ...webhook, events: ['discharge.*'], status: 'disabled' });
      expect((await guild.ask('POST', `${url}/replay`, { since: webhook.createdAt })).body.code).toBe(
        'webhook_disabled',
      );
      expect((await guild.ask('DELETE', url)).body).toEqual({ success: true, data: { id } });
      expect((await guild.ask('GET', url)).status).toBe(404);
    });

    test('bad input is refused with a reason, and nothing is made', async () => {
      const guild = await createGuild(service);
      const right = { url: 'http://127.0.0.1:1/', kind: 'standard', events: ['transaction.posted'] };
      const cases: [object, RegExp][] = [
        [{ url: 'ftp://127.0.0.1/' }, /https:\/\//],
        [{ url: 'http://user:pass@127.0.0.1/' }, /user name or password/],
        [{ url: 'http://10.1.2.3/' }, /10\.1\.2\.3.*not on the public Internet/],
        [{ url: 'http://[::ffff:10.1.2.3]/' }, /not on the public Internet/],
        [{ url: 'http://8.8.8.8/' }, /must begin with https/],
        [{ url: 'https://does-not-exist.invalid/' }, /does-not-exist\.invalid/],
        [{ kind: 'carrier-pigeon' }, /kind must be one of/],
        [{ events: [] }, /events must be a list/],
        [{ events: ['everything'] }, /events\[0\] must be one of/],
        [{ events: ['summary.weekly'] }, /kind discord/],
        [{ filter: { balanceBelow: 5 } }, /belongs to the event balance\.below/],
        [{ filter: { minTotal: -1 } }, /minTotal must be a number of at least 0/],
        [{ filter: { minTotal: 0.00001 } }, /4 decimal places/],
        [{ filter: { unknown: 1 } }, /filter must be/],
      ];
      for (const [change, message] of cases) {
        const reply = await guild.ask('POST', '/guild/webhooks', { ...right, ...change });
        expect({ change, status: reply.status }).toEqual({ change, status: 400 });
        expect(reply.body.message).toMatch(message);
      }
      expect((await guild.ask('POST', '/guild/webhooks', { url: right.url })).body.message).toBe(
        'Bad request - missing required fields',
      );
      expect((await guild.ask('GET', '/guild/webhooks')).body.data.webhooks).toEqual([]);
      for (let count = 0; count < 10; count += 1) {
        expect((await guild.ask('POST', '/guild/webhooks', right)).status).toBe(200);
      }
      const eleventh = await guild.ask('POST', '/guild/webhooks', right);
      expect(eleventh.body).toMatchObject({ success: false, code: 'webhook_limit' });
      expect(eleventh.status).toBe(409);
    });

    test('a key without the scope is refused', async () => {
      const guild = await createGuild(service);
      const { value } = await service.addKey(guild.guildId, ['guild:read', 'guild:write', 'users:read']);
      const reply = await service.send({ method: 'GET', url: '/guild/webhooks', key: value });
      expect(reply.body).toEqual({
        success: false,
        message: 'Forbidden - missing required scope: webhooks:manage',
        code: 'missing_scope',
      });
    });
  });
}
