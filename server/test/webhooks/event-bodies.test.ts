import { afterAll, beforeAll, expect, test } from 'vitest';
import { REFUSALS_NOTED } from '../../src/domain/access/key-usage.ts';
import { createValidate } from '../../src/wire/validation.ts';
import { typesOf, WEBHOOK_EVENT_SCHEMAS } from '../../src/wire/webhook-events.ts';
import { sealerOf } from '../contract/seal-specimens.ts';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';
import { closeObjects } from '../support/close-objects.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type Delivery, startReceiver } from '../support/webhook-receiver.ts';

// The schemas of events are what the OpenAPI document and the clients' types are made of. Deliveries of every type, whole and
// truncated, have to fit them.

const DAY_MS = 86_400_000;
const GUILD_ID = 'events';
const CHECKS = Object.values(WEBHOOK_EVENT_SCHEMAS).map((schema) => ({
  types: typesOf(schema),
  validate: createValidate(closeObjects(schema) as typeof schema),
}));

let service: TestService;
let key: string;
beforeAll(async () => {
  const clock = createTestClock(Date.now());
  service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }, { clock, keyUsageFlushMs: 50 });
  await service.addGuild(GUILD_ID);
  key = (await service.addKey(GUILD_ID)).value;
});
afterAll(() => service.stop());

async function ask(method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  service.clock.advance(101);
  const reply = await service.send({ method, url, key, ...(payload && { payload }) });
  expect(reply.text).toContain('"success":true');
  return reply.body.data;
}

function expectDescribed({ json }: Delivery): void {
  const check = CHECKS.find(({ types }) => types.includes(json.type));
  const { instancePath, message } = check?.validate(json) ?? {};
  expect([json.type, check === undefined, instancePath, message]).toEqual([
    json.type,
    false,
    undefined,
    undefined,
  ]);
}

async function subscribe(events: readonly string[], more: object = {}) {
  const receiver = await startReceiver();
  const { webhook } = await ask('POST', '/guild/webhooks', {
    url: receiver.url,
    kind: 'standard',
    events,
    ...more,
  });
  return { receiver, webhookId: String(webhook.id) };
}

const FIELDS = {
  discharges: {
    ...{ chatId: 'c1', playerId: 'p1', name: 'Rowan', reason: 'Left', date: '2026-01-02' },
    ...{ type: 'honourable', from: 'First', signed: 'Ash' },
  },
  transfers: {
    ...{
      playerId: 'p1',
      name: 'Rowan',
      date: '2026-05-02T18:22:05+02:00',
      from: 'First',
      to: 'Second',
      signed: 'Ash',
    },
  },
};

test('a delivery of every type is what its schema says, field by field', async () => {
  const { receiver, webhookId } = await subscribe(
    [
      'transaction.*',
      'payment.posted',
      'balance.below',
      'discharge.*',
      'transfer.*',
      'verification.changed',
      'key.*',
      'ledger.sealed',
    ],
    { filter: { balanceBelow: 10 } },
  );
  const post = {
    playerId: 'p1',
    name: 'Iron',
    quantity: 1,
    amount: 40,
    source: 'shop',
    metadata: { order: '1' },
  };
  const { results } = await ask('POST', '/guild/transactions', { transactions: [post, post] });
  await ask('POST', `/guild/transactions/${results[0].transactionId}/reversal`, { reason: 'Twice' });
  const payment = {
    fromPlayerId: 'p1',
    toPlayerId: 'p2',
    amount: 35,
    name: 'Loan',
    source: 'bank',
    reference: 'r',
  };
  await ask('POST', '/guild/payments', payment);
  for (const kind of ['discharges', 'transfers'] as const) {
    await ask('PUT', `/guild/records/${kind}/one`, FIELDS[kind]);
    await ask('PUT', `/guild/records/${kind}/one`, { ...FIELDS[kind], name: 'Ash' });
    await ask('DELETE', `/guild/records/${kind}/one`);
  }
  const person = { chatId: 'c1', playerId: 'p1', username: 'rowan' };
  const change = { actor: TESTER, atMs: service.clock.nowMs() };
  await service.store.verifications.put([person], change);
  await service.store.verifications.put([{ ...person, playerId: 'p2' }], change);
  await service.store.verifications.delete(person.chatId, change);
  const { keyId } = await service.addKey(GUILD_ID, ['guild:read'], DAY_MS / 2);
  await untilTrue(() => receiver.of('key.expiring').length > 0);
  await service.keys.delete(keyId, TESTER);
  const asked = Array.from({ length: REFUSALS_NOTED }, () =>
    service.send({ method: 'GET', url: '/guild/transactions/none', key }),
  );
  await Promise.all(asked);
  await sealerOf(service.store).seal();
  service.clock.advance(DAY_MS);
  await ask('POST', `/guild/webhooks/${webhookId}/test`);
  const types = CHECKS.flatMap((check) => check.types);
  await untilTrue(() => types.every((type) => receiver.of(type).length > 0));
  for (const delivery of receiver.deliveries) {
    expectDescribed(delivery);
  }
  expect(new Set(receiver.deliveries.map(({ json }) => json.type))).toEqual(new Set(types));
});

test('what is too long is named and left out, as the schemas say', async () => {
  const { receiver } = await subscribe(['discharge.created', 'verification.changed']);
  await ask('PUT', '/guild/records/discharges/long', {
    ...FIELDS.discharges,
    name: '\u{1f600}'.repeat(256),
    from: '\u{1f600}'.repeat(256),
    signed: '\u{1f600}'.repeat(256),
    type: '\u{1f600}'.repeat(256),
    reason: '\u{1f600}'.repeat(4_000),
  });
  const pastUsers = Array.from({ length: 100 }, (_, index) => ({
    playerId: `${index}`,
    username: 'x'.repeat(256),
  }));
  const person = { chatId: 'c-long', playerId: 'p1', username: 'long', pastUsers };
  await service.store.verifications.put([person], { actor: TESTER, atMs: service.clock.nowMs() });
  await untilTrue(
    () => receiver.of('discharge.created').length > 0 && receiver.of('verification.changed').length > 0,
  );
  expect(receiver.of('discharge.created').map(({ json }) => json.data)).toEqual([
    { id: 'long', chatId: 'c1', truncated: true },
  ]);
  expect(receiver.of('verification.changed').map(({ json }) => json.data)).toEqual([
    { chatId: 'c-long', truncated: true },
  ]);
  for (const delivery of receiver.deliveries) {
    expectDescribed(delivery);
  }
});

test('a change of a record of which not all is known any more names the record', async () => {
  const { receiver, webhookId } = await subscribe(['discharge.updated']);
  await ask('PUT', '/guild/records/discharges/gone', FIELDS.discharges);
  await ask('PUT', '/guild/records/discharges/gone', { ...FIELDS.discharges, name: 'Ash' });
  const [delivery] = await receiver.until(1);
  const { store } = service;
  const guild = await store.guilds.find(GUILD_ID);
  if (guild === undefined || delivery === undefined) {
    throw new Error('the guild is there, and something was delivered');
  }
  const change = { actor: TESTER, atMs: service.clock.nowMs() };
  // Deletions are looked through a hundred deep for what a record was.
  const others = Array.from({ length: 100 }, (_, index) => ({
    ...FIELDS.discharges,
    id: `o${index}`,
    guildId: GUILD_ID,
  }));
  await store.discharges.delete(guild, 'gone', change);
  await store.discharges.put(guild, others, change);
  for (const { id } of others) {
    await store.discharges.delete(guild, id, change);
  }
  await ask('POST', `/guild/webhooks/${webhookId}/replay`, { eventId: delivery.id });
  const [, again] = await receiver.until(2);
  expect(again?.json).toEqual({ ...delivery.json, data: { id: 'gone', truncated: true } });
  expect(again && expectDescribed(again)).toBeUndefined();
});
