import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RETRY_AFTER_MS } from '../../src/domain/webhooks/retries.ts';
import { createTestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED, createGuild, type StartWebhookService } from './webhook-guild.ts';

const DAY_MS = 86_400_000;

/** Receivers that fail, keys that expire and addresses that are refused, through the whole service. */
export function describeWebhookTrouble(start: StartWebhookService = startTestService): void {
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

async function auditOf({ store }: TestService, guildId: string) {
  const guild = await store.guilds.find(guildId);
  return { entries: await store.audit.list(guild, { limit: 5 }) };
}
