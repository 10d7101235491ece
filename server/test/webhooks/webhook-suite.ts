import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { verifyDelivery } from '../support/verify-delivery.ts';
import { type Delivery, startReceiver } from '../support/webhook-receiver.ts';
import { describeWebhookEndpoints } from './webhook-endpoint-suite.ts';
import { ALLOWED, createGuild, type StartWebhookService } from './webhook-guild.ts';
import { describeWebhookTrouble } from './webhook-trouble-suite.ts';

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
        name: null,
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
  });

  describeWebhookEndpoints(start);
  describeWebhookTrouble(start);
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
