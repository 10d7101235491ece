import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RETRY_AFTER_MS } from '../../src/domain/webhooks/retries.ts';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { verifyDelivery } from '../support/verify-delivery.ts';
import { type Delivery, startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED, createGuild, type StartWebhookService } from './webhook-guild.ts';

const DAY_MS = 86_400_000;
/** Webhooks through the whole service, on whichever store. */
export function describeWebhooks(start: StartWebhookService = startTestService): void {
  describe('deliveries', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await start(ALLOWED, { clock: createTestClock(Date.now()) });
    });
    afterAll(() => service.stop());

    test('every delivery is verified by the standardwebhooks package, comes in order and shows the transaction', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      const { id, secret, webhook } = await guild.create(receiver);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(webhook).toEqual({
        id: expect.any(String),
        url: receiver.url,
        kind: 'standard',
        events: ['transaction.posted'],
        filter: {},
        status: 'active',
        unreadable: null,
        createdAt: expect.any(String),
      });
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        ids.push(await guild.post({ name: `Ingot ${count} "é🛡` }));
      }
      const deliveries = await receiver.until(5);
      for (const delivery of deliveries) {
        expect(verifyDelivery(secret, delivery)).toEqual(delivery.json);
        expect(Object.keys(delivery.json)).toEqual(['type', 'timestamp', 'data']);
      }
      expect(deliveries.map(({ json }) => json.data.transactionId)).toEqual(ids);
      expect(new Set(deliveries.map((delivery) => delivery.id)).size).toBe(5);
      const shown = await guild.ask('GET', `/guild/transactions/${ids[0]}`);
      expect(JSON.stringify(deliveries[0]?.json.data)).toBe(JSON.stringify(shown.body.data.transaction));
      expect(() => verifyDelivery(secret, { ...(deliveries[0] as Delivery), body: '{}' })).toThrow();
      const { attempts } = await guild.untilAttempts(id, 5);
      for (const attempt of attempts) {
        expect(attempt).toEqual({
          id: expect.any(String),
          eventId: expect.any(String),
          type: 'transaction.posted',
          at: expect.any(String),
          status: 204,
          durationMs: expect.any(Number),
          error: null,
        });
      }
      const eventIds = attempts.map(({ eventId }: { eventId: string }) => eventId);
      expect(eventIds.toSorted()).toEqual(deliveries.map((delivery) => delivery.id).toSorted());
      // Newest first; those of one millisecond have no order.
      const times = attempts.map(({ at }: { at: string }) => at);
      expect(times).toEqual(times.toSorted().toReversed());
    });

    test('each kind of event is told to who asked for it, in the words of the interface', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      await guild.create(receiver, {
        events: [
          'transaction.*',
          'payment.posted',
          'balance.below',
          'discharge.*',
          'transfer.*',
          'verification.changed',
          'key.*',
        ],
        filter: { balanceBelow: 10 },
      });
      const transactionId = await guild.post({ playerId: 'p1', amount: 40, quantity: 1 });
      await guild.ask('POST', `/guild/transactions/${transactionId}/reversal`, {});
      await guild.post({ playerId: 'p1', amount: 40, quantity: 1 });
      const payment = { fromPlayerId: 'p1', toPlayerId: 'p2', amount: 35, name: 'Loan', source: 'bank' };
      const { paymentId } = (await guild.ask('POST', '/guild/payments', payment)).body.data;
      const { records, verifications, keys } = await domainOf(service);
      const target = { guildId: guild.guildId, id: 'd1' };
      const fields = {
        chatId: 'c1',
        playerId: 'p1',
        name: 'Rowan',
        reason: 'Left',
        date: '2026-01-02',
        type: 'honourable',
        from: 'First',
        signed: 'Ash',
      };
      await records.put(target, fields);
      await records.put(target, { ...fields, reason: 'Left for good' });
      await records.delete(target);
      await verifications.put({ chatId: `c-${guild.guildId}`, playerId: 'p2', username: 'rowan' });
      await verifications.put({ chatId: `d-${guild.guildId}`, playerId: 'stranger', username: 'nobody' });
      const { keyId } = await service.addKey(guild.guildId, ['guild:read'], 20 * DAY_MS);
      await keys.delete(keyId);
      await untilTrue(
        () => receiver.of('key.deleted').length > 0 && receiver.of('verification.changed').length > 0,
      );
      const dataOf = (type: string) => receiver.of(type).map(({ json }) => json.data);
      expect(dataOf('transaction.posted').map(({ total }) => total)).toEqual([40, -40, 40, -35, 35]);
      expect(dataOf('transaction.reversed')).toEqual([
        expect.objectContaining({ transactionId, reversedBy: expect.any(String) }),
      ]);
      expect(dataOf('payment.posted')).toEqual([
        {
          paymentId,
          from: expect.objectContaining({ playerId: 'p1', total: -35 }),
          to: expect.objectContaining({ playerId: 'p2', total: 35 }),
        },
      ]);
      expect(dataOf('balance.below').map(({ playerId, balance }) => ({ playerId, balance }))).toEqual([
        { playerId: 'p1', balance: 0 },
        { playerId: 'p1', balance: 5 },
      ]);
      const record = { id: 'd1', guildId: guild.guildId, ...fields };
      expect(dataOf('discharge.created')).toEqual([record]);
      expect(dataOf('discharge.updated')).toEqual([{ ...record, reason: 'Left for good' }]);
      expect(dataOf('discharge.deleted')).toEqual([{ ...record, reason: 'Left for good' }]);
      expect(dataOf('verification.changed')).toEqual([
        { chatId: `c-${guild.guildId}`, playerId: 'p2', username: 'rowan', pastUsers: [] },
      ]);
      expect(dataOf('key.deleted')).toEqual([expect.objectContaining({ id: keyId, name: 'test' })]);
      // Every post of this test made a key, and each lives for 30 days: none expires soon.
      expect(dataOf('key.expiring')).toEqual([]);
      await service.addKey(guild.guildId, ['guild:read'], 3_600_000);
      await untilTrue(() => receiver.of('key.expiring').length === 1);
    });

    test('filters let through what fits all of them, and another guild hears nothing', async () => {
      const receiver = await startReceiver();
      const other = await startReceiver();
      const guild = await createGuild(service);
      const stranger = await createGuild(service);
      await stranger.create(other, { events: ['transaction.*', 'discharge.*', 'key.*'] });
      const filter = { source: 'shop', minTotal: 50, playerId: 'p1' };
      await guild.create(receiver, { filter });
      await guild.post({ playerId: 'p1', amount: 49.9999, quantity: 1 });
      await guild.post({ playerId: 'p1', amount: 50, quantity: 1, source: 'bank' });
      await guild.post({ playerId: 'p2', amount: 50, quantity: 1 });
      await guild.post({ playerId: 'p1', amount: -25, quantity: 2 });
      const [delivery] = await receiver.until(1);
      expect(delivery?.json.data).toMatchObject({ playerId: 'p1', source: 'shop', total: -50 });
      await guild.post({ playerId: 'p1', amount: 60, quantity: 1 });
      await receiver.until(2);
      expect(receiver.deliveries).toHaveLength(2);
      expect(other.of('transaction.posted')).toEqual([]);
    });

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

    test('an event is delivered again under its id, and so is everything since a time', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      const { id } = await guild.create(receiver);
      await guild.post({ playerId: 'p1' });
      service.clock.advance(10_000);
      const since = new Date(service.clock.nowMs()).toISOString();
      await guild.post({ playerId: 'p2' });
      await guild.post({ playerId: 'p3' });
      const [first] = await receiver.until(3);
      const replay = (input: object) => guild.ask('POST', `/guild/webhooks/${id}/replay`, input);
      expect((await replay({ eventId: first?.id })).status).toBe(200);
      await receiver.until(4);
      expect(receiver.deliveries[3]).toMatchObject({ id: first?.id, body: first?.body });
      // Once its attempt is stored, the first replay is over and is not sent again with the next one.
      await guild.untilAttempts(id, 4);
      expect((await replay({ since })).status).toBe(200);
      await receiver.until(6);
      expect(receiver.deliveries.slice(4).map(({ json }) => json.data.playerId)).toEqual(['p2', 'p3']);
      expect(receiver.deliveries.slice(4).map((delivery) => delivery.id)).toEqual(
        receiver.deliveries.slice(1, 3).map((delivery) => delivery.id),
      );
      for (const input of [
        {},
        { since, eventId: first?.id },
        { since: '2020-01-01T00:00:00Z' },
        { since: 1 },
      ]) {
        expect((await replay(input)).status).toBe(400);
      }
      const stranger = await createGuild(service);
      const { id: strangerId } = await stranger.create(receiver);
      const foreign = { eventId: first?.id };
      expect((await stranger.ask('POST', `/guild/webhooks/${strangerId}/replay`, foreign)).body.code).toBe(
        'event_not_found',
      );
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

  describe('trouble', () => {
    let service: TestService;
    let addresses: string[] = ['127.0.0.1'];
    beforeAll(async () => {
      service = await start(ALLOWED, {
        clock: createTestClock(Date.now()),
        webhooks: {
          lookup: async () => {
            const [address = '127.0.0.1', ...rest] = addresses;
            addresses = rest.length > 0 ? rest : [address];
            return [{ address }];
          },
        },
      });
    });
    afterAll(() => service.stop());

    test('a failed delivery is retried alone at the stated times, and later events do not wait for it', async () => {
      let failing = 'p1';
      const receiver = await startReceiver((response, { json }) =>
        response.writeHead(json.data.playerId === failing ? 503 : 200).end(),
      );
      const guild = await createGuild(service);
      const { id } = await guild.create(receiver);
      await guild.post({ playerId: 'p1' });
      await guild.post({ playerId: 'p2' });
      await receiver.until(2);
      expect(receiver.deliveries.map(({ json }) => json.data.playerId)).toEqual(['p1', 'p2']);
      await guild.untilAttempts(id, 2);
      let count = 2;
      const minuteMs = 60_000;
      const minutes = [5, 30, 120, 300, 600, 600];
      expect(RETRY_AFTER_MS).toEqual([5_000, ...minutes.map((one) => one * minuteMs)]);
      for (const pauseMs of RETRY_AFTER_MS) {
        service.clock.advance(pauseMs);
        count += 1;
        await receiver.until(count);
        await untilTrue(async () => (await guild.show(id)).attempts.length === count);
      }
      const { webhook, attempts } = await guild.show(id);
      expect(webhook.status).toBe('active');
      expect(new Set(receiver.deliveries.slice(2).map((delivery) => delivery.id))).toEqual(
        new Set([receiver.deliveries[0]?.id]),
      );
      expect(new Set(receiver.deliveries.slice(2).map((delivery) => delivery.body)).size).toBe(1);
      expect(attempts[0]).toMatchObject({ status: 503, error: 'answered 503' });
      // That was the last one: it is not tried again, and what comes next arrives.
      service.clock.advance(DAY_MS);
      failing = '';
      await guild.post({ playerId: 'p3' });
      await receiver.until(count + 1);
      expect(receiver.deliveries.at(-1)?.json.data.playerId).toBe('p3');
    });

    test('Retry-After puts the next attempt off', async () => {
      const receiver = await startReceiver((response, _delivery, count) =>
        response.writeHead(count === 1 ? 429 : 200, { 'retry-after': '59.99951' }).end(),
      );
      const guild = await createGuild(service);
      const { id } = await guild.create(receiver);
      await guild.post();
      const { attempts } = await guild.untilAttempts(id, 1);
      const failedAtMs = Date.parse(attempts[0].at);
      service.clock.advance(60_000);
      await receiver.until(2);
      const after = await guild.untilAttempts(id, 2);
      expect(Date.parse(after.attempts[0].at) - failedAtMs).toBeGreaterThanOrEqual(60_000);
    });

    test.each([
      { answer: 'a redirect', status: 307, error: 'answered 307: redirects are not followed' },
      { answer: 'another redirect', status: 301, error: 'answered 301: redirects are not followed' },
      { answer: 'not modified', status: 304, error: 'answered 304: redirects are not followed' },
      { answer: 'a client error', status: 404, error: 'answered 404' },
    ])('$answer is a failure', async ({ status, error }) => {
      const target = await startReceiver();
      const receiver = await startReceiver((response) =>
        response.writeHead(status, { location: target.url }).end(),
      );
      const guild = await createGuild(service);
      const { id } = await guild.create(receiver);
      await guild.post();
      const { attempts, webhook } = await guild.untilAttempts(id, 1);
      expect(attempts[0]).toMatchObject({ status, error });
      expect(webhook.status).toBe('active');
      expect(target.deliveries).toEqual([]);
      await guild.ask('DELETE', `/guild/webhooks/${id}`);
    });

    test('410 disables the endpoint at once; enabled again it hears of what happens then', async () => {
      let status = 410;
      const receiver = await startReceiver((response) => response.writeHead(status).end());
      const guild = await createGuild(service);
      const { id } = await guild.create(receiver);
      await guild.post({ playerId: 'p1' });
      await untilTrue(async () => (await guild.show(id)).webhook.status === 'disabled');
      await guild.post({ playerId: 'p2' });
      status = 200;
      await guild.ask('PUT', `/guild/webhooks/${id}`, { status: 'active' });
      await guild.post({ playerId: 'p3' });
      await receiver.until(2);
      expect(receiver.deliveries.map(({ json }) => json.data.playerId)).toEqual(['p1', 'p3']);
    });

    test('a key is told of 14, 3 and 1 days before it expires, each once', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      await guild.create(receiver, { events: ['key.expiring'] });
      const { keyId } = await service.addKey(guild.guildId, ['guild:read'], 14 * DAY_MS + 7_200_000);
      const told = (count: number) => untilTrue(() => receiver.deliveries.length === count);
      // The expiry of keys is checked once an hour, and after new entries of the audit log.
      for (const [daysPassed, count] of [
        [0.2, 1],
        [5, 1],
        [6, 2],
        [1, 2],
        [1, 3],
      ] as const) {
        service.clock.advance(daysPassed * DAY_MS);
        await told(count);
      }
      expect(receiver.deliveries.map(({ json }) => json.data.id)).toEqual([keyId, keyId, keyId]);
      expect(new Set(receiver.deliveries.map(({ id }) => id)).size).toBe(3);
    });

    test('five days of failures disable the endpoint, and the audit log says why', async () => {
      const receiver = await startReceiver((response) => response.writeHead(500).end());
      const guild = await createGuild(service);
      const { id } = await guild.create(receiver);
      await guild.post();
      await guild.untilAttempts(id, 1);
      service.clock.advance(5 * DAY_MS);
      await untilTrue(async () => (await guild.show(id)).webhook.status === 'disabled');
      const { entries } = await auditOf(service, guild.guildId);
      expect(entries[0]).toMatchObject({
        subjectKind: 'webhook',
        subjectId: id,
        actor: { kind: 'operator', id: 'webhooks' },
        detail: { after: { status: 'disabled', disabledReason: 'Every delivery failed for five days.' } },
      });
    });

    test('a name that comes to mean a private address gets nothing', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      addresses = ['127.0.0.1'];
      const { id } = await guild.create({ url: receiver.url.replace('127.0.0.1', 'hooks.example') });
      addresses = ['192.168.7.7'];
      await guild.post();
      const { attempts } = await guild.untilAttempts(id, 1);
      expect(attempts[0]).toMatchObject({ status: null });
      expect(attempts[0].error).toMatch(
        /^hooks\.example is not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS$/,
      );
      const test = await guild.ask('POST', `/guild/webhooks/${id}/test`);
      expect(test.body.data.attempt.error).toBe(attempts[0].error);
      expect(receiver.deliveries).toEqual([]);
      addresses = ['127.0.0.1'];
    });

    test('the connection goes to the address that was checked, whatever the name means by then', async () => {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      addresses = ['127.0.0.1'];
      const { id } = await guild.create({ url: receiver.url.replace('127.0.0.1', 'rebinding.example') });
      // The next look at the name would give a private address: a second look would be one too many.
      addresses = ['127.0.0.1', '10.0.0.1'];
      const test = await guild.ask('POST', `/guild/webhooks/${id}/test`);
      expect(test.body.data.attempt).toMatchObject({ status: 204, error: null });
      expect(receiver.deliveries[0]?.headers.host).toBe(`rebinding.example:${receiver.port}`);
      addresses = ['127.0.0.1'];
    });
  });

  test('a receiver that does not answer is given up in time, and later events follow', async () => {
    const service = await start(ALLOWED, {
      clock: createTestClock(Date.now()),
      webhooks: { timeoutMs: 300 },
    });
    try {
      const receiver = await startReceiver((response, { json }) => {
        if (json.data.playerId !== 'silent') {
          response.writeHead(200).end();
        }
      });
      const guild = await createGuild(service);
      const { id } = await guild.create(receiver);
      await guild.post({ playerId: 'silent' });
      await guild.post({ playerId: 'p2' });
      await receiver.until(2);
      const { attempts } = await guild.untilAttempts(id, 2);
      expect(attempts.find(({ error }: { error: string | null }) => error !== null)).toMatchObject({
        status: null,
        error: 'no answer in time',
      });
    } finally {
      await service.stop();
    }
  });

  test('private networks are refused unless the operator lists them', async () => {
    const service = await start({}, { clock: createTestClock(Date.now()) });
    try {
      const guild = await createGuild(service);
      for (const url of [
        'https://127.0.0.1/',
        'https://localhost/',
        'https://[::1]/',
        'https://169.254.169.254/',
      ]) {
        const input = { url, kind: 'standard', events: ['transaction.posted'] };
        const reply = await guild.ask('POST', '/guild/webhooks', input);
        expect(reply.status).toBe(400);
        expect(reply.body.message).toMatch(
          /not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS/,
        );
      }
    } finally {
      await service.stop();
    }
  });
}

/** Makes the changes of the operator's bot without its routes. */
async function domainOf({ store, keys, clock }: TestService) {
  const change = { actor: TESTER, atMs: clock.nowMs() };
  const guildOf = async (guildId: string) => {
    const guild = await store.guilds.find(guildId);
    if (guild === undefined) {
      throw new Error('no such guild');
    }
    return guild;
  };
  return {
    records: {
      put: async (target: { guildId: string; id: string }, fields: Parameters<typeof build>[1]) =>
        store.discharges.put(await guildOf(target.guildId), [build(target, fields)], change),
      delete: async ({ guildId, id }: { guildId: string; id: string }) =>
        store.discharges.delete(await guildOf(guildId), id, change),
    },
    verifications: {
      put: (verification: { chatId: string; playerId: string; username: string }) =>
        store.verifications.put([verification], change),
    },
    keys: { delete: (keyId: string) => keys.delete(keyId, TESTER) },
  };
}

interface DischargeFields {
  chatId: string;
  playerId: string;
  name: string;
  reason: string;
  date: string;
  type: string;
  from: string;
  signed: string;
}

function build(target: { guildId: string; id: string }, fields: DischargeFields) {
  return { ...target, ...fields };
}

async function auditOf({ store }: TestService, guildId: string) {
  const guild = await store.guilds.find(guildId);
  return { entries: await store.audit.list(guild, { limit: 5 }) };
}
