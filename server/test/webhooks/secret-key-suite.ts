import { describe, expect, onTestFinished, test } from 'vitest';
import type { EnvironmentVariables } from '../../src/config.ts';
import { createSealer } from '../../src/domain/access/sealing.ts';
import { labelOf } from '../../src/domain/webhooks/sending.ts';
import { aSession } from '../contract/specimens.ts';
import { createTestClock } from '../support/clock.ts';
import { testIds } from '../support/ids.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';
import { verifyDelivery } from '../support/verify-delivery.ts';
import { type Delivery, startReceiver } from '../support/webhook-receiver.ts';

export const ONE = 'the-first-key-of-at-least-32-characters';
export const TWO = 'the-second-key-of-at-least-32-characters';
const GUILD_ID = '42';
const DAY_MS = 86_400_000;

/** The address of a store. A test starts services on it one after the other. */
export interface SecretPlace {
  url: string;
  remove(): Promise<void>;
}

interface Keys extends EnvironmentVariables {
  SECRET_KEY: string;
  SECRET_KEY_PREVIOUS?: string;
}

async function openPlace(createPlace: () => Promise<SecretPlace>) {
  const place = await createPlace();
  const clock = createTestClock(Date.now());
  const running = new Set<TestService>();
  onTestFinished(async () => {
    await Promise.all([...running].map((service) => service.stop()));
    await place.remove();
  });
  const stop = async (service: TestService) => {
    running.delete(service);
    await service.stop();
  };
  const start = async (keys: Keys) => {
    const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', DATABASE_URL: place.url, ...keys };
    const service = await startTestService(settings, { clock });
    running.add(service);
    return service;
  };
  return { clock, start, stop };
}

/** A guild's program, which can use any service of the place. */
async function createProgram(service: TestService, guildId = GUILD_ID) {
  await service.addGuild(guildId);
  const { value: key } = await service.addKey(guildId);
  const ask = async (on: TestService, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const send = () => {
      // Ten requests a second is not the point here.
      on.clock.advance(101);
      return on.send({ method, url, key, ...(payload && { payload }) });
    };
    let reply = await send();
    // On a busy machine the store may not answer in time. The requests of these tests can be repeated.
    await untilTrue(async () => {
      if (reply.status !== 503) {
        return true;
      }
      reply = await send();
      return false;
    });
    expect(reply.status, reply.text).toBe(200);
    return reply.body.data;
  };
  const create = (on: TestService, url: string, kind: 'standard' | 'discord') =>
    ask(on, 'POST', '/guild/webhooks', { url, kind, events: ['transaction.posted'] });
  return { ask, create };
}

function gaugeOf(text: string): Record<string, number> {
  const lines = text.matchAll(/^guildbook_unreadable_secrets\{kind="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, kind, count]) => [kind, Number(count)]));
}

const metricsOf = async (service: TestService) => gaugeOf(await service.metrics.text());

/** Log lines about secrets, without their time. */
function secretLines({ logLines }: TestService): { level: number; msg: string }[] {
  const lines = logLines.map((line) => JSON.parse(line)).filter(({ msg = '' }) => /SECRET_KEY/.test(msg));
  return lines.map(({ time: _, ...line }) => line);
}

function signaturesOf({ headers }: Delivery): string[] {
  return String(headers['webhook-signature']).split(' ');
}

/** How the service fares when its key changes, on whichever store. */
export function describeSecretKeys(createPlace: () => Promise<SecretPlace>): void {
  describe('with another SECRET_KEY', () => {
    test(
      'log, metric and interface show the webhooks that cannot deliver, and each can be mended',
      LONG_TEST,
      async () => {
        const { clock, start, stop } = await openPlace(createPlace);
        const [receiver, channel] = [await startReceiver(), await startReceiver()];
        const before = await start({ SECRET_KEY: ONE });
        const { ask, create } = await createProgram(before);
        const { webhook, secret } = await create(before, receiver.url, 'standard');
        const { webhook: chat } = await create(before, channel.url, 'discord');
        expect([webhook.unreadable, chat.unreadable]).toEqual([null, null]);
        expect(secretLines(before)).toEqual([]);
        expect(await metricsOf(before)).toEqual({ webhook: 0, session: 0 });
        await stop(before);

        const after = await start({ SECRET_KEY: TWO });
        expect(secretLines(after)).toEqual([
          { level: 50, webhooks: 2, msg: expect.stringMatching(/^webhooks deliver nothing .*SECRET_KEY/) },
        ]);
        expect(await metricsOf(after)).toEqual({ webhook: 2, session: 0 });
        const { webhooks } = await ask(after, 'GET', '/guild/webhooks');
        expect(webhooks).toEqual([
          { ...webhook, unreadable: 'secret' },
          { ...chat, unreadable: 'url' },
        ]);
        const shown = await ask(after, 'GET', `/guild/webhooks/${webhook.id}`);
        expect(shown.webhook).toMatchObject({ status: 'active', unreadable: 'secret' });
        const { attempt } = await ask(after, 'POST', `/guild/webhooks/${webhook.id}/test`);
        expect(attempt).toMatchObject({ status: null, error: expect.stringContaining('cannot be read') });

        const rotated = await ask(after, 'POST', `/guild/webhooks/${webhook.id}/rotate`);
        expect(rotated.webhook.unreadable).toBeNull();
        expect(rotated.secret).not.toBe(secret);
        const saved = await ask(after, 'PUT', `/guild/webhooks/${chat.id}`, { url: channel.url });
        expect(saved.webhook.unreadable).toBeNull();
        for (const { id } of [webhook, chat]) {
          const tested = await ask(after, 'POST', `/guild/webhooks/${id}/test`);
          expect(tested.attempt).toMatchObject({ status: 204, error: null });
        }
        const [delivery] = receiver.deliveries;
        expect(delivery && verifyDelivery(rotated.secret, delivery)).toMatchObject({ type: 'webhook.test' });
        expect(delivery && signaturesOf(delivery)).toHaveLength(1);
        expect(channel.deliveries).toHaveLength(1);
        await untilTrue(async () => {
          clock.advance(60_000);
          return (await metricsOf(after)).webhook === 0;
        });
      },
    );

    test('sessions whose tokens cannot be read are counted, and called harmless', async () => {
      const { clock, start, stop } = await openPlace(createPlace);
      const before = await start({ SECRET_KEY: ONE });
      await insertSession(before, ONE);
      await stop(before);
      const after = await start({ SECRET_KEY: TWO });
      expect(secretLines(after)).toEqual([
        { level: 30, sessions: 1, msg: expect.stringContaining('harmless') },
      ]);
      expect(await metricsOf(after)).toEqual({ webhook: 0, session: 1 });
      clock.advance(DAY_MS);
      // A store that does not answer in time leaves the last count until the next one.
      await untilTrue(async () => {
        clock.advance(60_000);
        return (await metricsOf(after)).session === 0;
      });
    });
  });

  describe('with SECRET_KEY_PREVIOUS', () => {
    test(
      'everything is sealed with SECRET_KEY at the start, and the previous one is needed no more',
      LONG_TEST,
      async () => {
        const { start, stop } = await openPlace(createPlace);
        const [receiver, channel] = [await startReceiver(), await startReceiver()];
        const before = await start({ SECRET_KEY: ONE });
        const { ask, create } = await createProgram(before);
        const { webhook, secret } = await create(before, receiver.url, 'standard');
        const { secret: newer } = await ask(before, 'POST', `/guild/webhooks/${webhook.id}/rotate`);
        await create(before, channel.url, 'discord');
        const tokenHash = await insertSession(before, ONE);
        await stop(before);

        const between = await start({ SECRET_KEY: TWO, SECRET_KEY_PREVIOUS: ONE });
        expect(secretLines(between)).toEqual([
          {
            level: 30,
            webhooks: 2,
            sessions: 1,
            msg: expect.stringContaining('is encrypted with SECRET_KEY'),
          },
        ]);
        expect(await metricsOf(between)).toEqual({ webhook: 0, session: 0 });
        await stop(between);

        const after = await start({ SECRET_KEY: TWO });
        expect(secretLines(after)).toEqual([]);
        expect(await metricsOf(after)).toEqual({ webhook: 0, session: 0 });
        await ask(after, 'POST', '/guild/ledger', transactionBody());
        const [delivery] = await receiver.until(1);
        expect(delivery && [secret, newer].map((one) => verifyDelivery(one, delivery))).toHaveLength(2);
        await channel.until(1);
        const session = await after.store.sessions.find(tokenHash);
        expect(createSealer(TWO, testIds).open(session?.sealedTokens ?? '', tokenHash)).toBe('tokens');
        await stop(after);

        const again = await start({ SECRET_KEY: TWO, SECRET_KEY_PREVIOUS: ONE });
        expect(secretLines(again)).toMatchObject([{ level: 30, webhooks: 0, sessions: 0 }]);
      },
    );

    test(
      'instances that start together and secrets that are rotated meanwhile lose nothing',
      LONG_TEST,
      async () => {
        const { start, stop } = await openPlace(createPlace);
        const { url } = await startReceiver();
        // It can read both keys and writes with the first, as instances do that are to be replaced without a gap.
        const old = await start({ SECRET_KEY: ONE, SECRET_KEY_PREVIOUS: TWO });
        const programs = await Promise.all(['1', '2', '3'].map((guildId) => createProgram(old, guildId)));
        const secrets = new Map<string, string>();
        for (const { create } of programs) {
          for (let count = 0; count < 5; count += 1) {
            const { webhook, secret } = await create(old, url, 'standard');
            secrets.set(webhook.id, secret);
          }
        }
        async function rotateAll() {
          for (const { ask } of programs) {
            const { webhooks } = await ask(old, 'GET', '/guild/webhooks');
            for (const { id } of webhooks) {
              secrets.set(id, (await ask(old, 'POST', `/guild/webhooks/${id}/rotate`)).secret);
              await ask(old, 'PUT', `/guild/webhooks/${id}`, { events: ['key.created'] });
            }
          }
        }
        const keys = { SECRET_KEY: TWO, SECRET_KEY_PREVIOUS: ONE };
        const [, ...started] = await Promise.all([rotateAll(), start(keys), start(keys), start(keys)]);
        for (const service of [old, ...started]) {
          await stop(service);
        }
        await stop(await start(keys));

        const after = await start({ SECRET_KEY: TWO });
        expect(secretLines(after)).toEqual([]);
        const sealed = await after.store.webhooks.readSealed({ after: undefined, limit: 100 });
        const { open } = createSealer(TWO, testIds);
        const opened = sealed.map(({ webhookId, sealedSecret = '', sealedOldSecret = '' }) => {
          const label = labelOf('secret', webhookId);
          expect(secrets.has(webhookId) ? open(sealedOldSecret, label) : 'whsec_').toMatch(/^whsec_/);
          return [webhookId, open(sealedSecret, label)];
        });
        expect(Object.fromEntries(opened)).toMatchObject(Object.fromEntries(secrets));
      },
    );

    test('a secret that the previous key sealed after the start is rotated into two under the new key', async () => {
      const { start } = await openPlace(createPlace);
      const { url } = await startReceiver();
      const present = await start({ SECRET_KEY: TWO, SECRET_KEY_PREVIOUS: ONE });
      const old = await start({ SECRET_KEY: ONE, SECRET_KEY_PREVIOUS: TWO });
      const { ask, create } = await createProgram(old);
      const { webhook, secret } = await create(old, url, 'standard');
      const rotated = await ask(present, 'POST', `/guild/webhooks/${webhook.id}/rotate`);
      const [sealed] = await present.store.webhooks.readSealed({ after: undefined, limit: 9 });
      const { open } = createSealer(TWO, testIds);
      const label = labelOf('secret', webhook.id);
      expect(open(sealed?.sealedSecret ?? '', label)).toBe(rotated.secret);
      expect(open(sealed?.sealedOldSecret ?? '', label)).toBe(secret);
    });

    test('a key that reads nothing changes nothing', async () => {
      const { start, stop } = await openPlace(createPlace);
      const { url } = await startReceiver();
      const before = await start({ SECRET_KEY: ONE });
      const { create } = await createProgram(before);
      await create(before, url, 'standard');
      const stored = await before.store.webhooks.readSealed({ after: undefined, limit: 9 });
      await stop(before);
      const after = await start({ SECRET_KEY: TWO, SECRET_KEY_PREVIOUS: 'x'.repeat(32) });
      expect(await after.store.webhooks.readSealed({ after: undefined, limit: 9 })).toEqual(stored);
      expect(await metricsOf(after)).toEqual({ webhook: 1, session: 0 });
    });
  });
}

/** A session that began a moment ago, as somebody's sign-in would leave it. Returns its hash. */
async function insertSession({ store, clock }: TestService, key: string): Promise<string> {
  const { tokenHash } = aSession();
  const nowMs = clock.nowMs();
  const sealedTokens = createSealer(key, testIds).seal('tokens', tokenHash);
  const times = { createdAtMs: nowMs, lastSeenAtMs: nowMs, expiresAtMs: nowMs + DAY_MS };
  await store.sessions.insert(aSession({ tokenHash, sealedTokens, ...times }));
  return tokenHash;
}
