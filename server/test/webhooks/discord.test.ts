import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { escapeText, toChatMessage } from '../../src/domain/webhooks/discord.ts';
import { nextSummaryAt } from '../../src/domain/webhooks/summary-time.ts';
import { TEXTS } from '../../src/texts/texts-of.ts';
import { CHANGE } from '../contract/specimens.ts';
import { createTestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

let service: TestService;
beforeAll(async () => {
  const clock = createTestClock();
  service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }, { clock });
});
afterAll(() => service.stop());

/** A chat platform that enforces its limits in real time, as Discord states them, and counts what exceeds them. */
async function startChannel(status = 200) {
  const sentAtMs: number[] = [];
  let exceeded = 0;
  const receiver = await startReceiver((response) => {
    const nowMs = performance.now();
    sentAtMs.push(nowMs);
    const within = (windowMs: number) => sentAtMs.filter((atMs) => nowMs - atMs < windowMs).length;
    exceeded += within(2_000) > 5 || within(60_000) > 30 ? 1 : 0;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"1"}');
  });
  const url = `${new URL(receiver.url).origin}/api/webhooks/1234/secret-token`;
  return { receiver, url, exceeded: () => exceeded };
}

async function createEndpoint(url: string, more: object = {}) {
  const guildId = crypto.randomUUID();
  await service.addGuild(guildId);
  const { value: key } = await service.addKey(guildId);
  const payload = { url, kind: 'discord', events: ['transaction.posted', 'balance.below'], ...more };
  const reply = await service.send({ method: 'POST', url: '/guild/webhooks', key, payload });
  expect(reply.text).toContain('"success":true');
  const { webhook, secret } = reply.body.data;
  return {
    key,
    guildId,
    webhook,
    secret,
    show: async () => {
      service.clock.advance(101);
      const one = await service.send({ method: 'GET', url: `/guild/webhooks/${webhook.id}`, key });
      return one.body.data;
    },
    async post(changes: object) {
      const { value } = await service.addKey(guildId, ['guild:write']);
      await service.send({
        method: 'POST',
        url: '/guild/ledger',
        key: value,
        payload: transactionBody({ ...changes }),
      });
    },
  };
}

test('many posts become one message that mentions nobody, and the limits are never exceeded', async () => {
  const { receiver, url, exceeded } = await startChannel();
  const { webhook, secret, post, show } = await createEndpoint(url, { filter: { minTotal: 5 } });
  await service.store.verifications.put([{ chatId: 'c1', playerId: 'p1', username: 'Rowan_V' }], CHANGE);
  expect(webhook.url).toBe(url.replace('secret-token', '***'));
  expect(secret).toBeNull();
  await post({ amount: 1, quantity: 1, name: 'too small' });
  for (let count = 0; count < 24; count += 1) {
    await post({ amount: 10, quantity: 1, name: `@everyone **x** <@1> ${count}`, playerId: 'p1' });
  }
  await post({ amount: -500, quantity: 1, name: 'fine', playerId: 'p1' });
  await untilTrue(() => receiver.deliveries.length > 0);
  const messages = () => receiver.deliveries.map(({ json }) => json);
  await untilTrue(() => JSON.stringify(messages()).includes('more'));
  for (const { path, json } of receiver.deliveries) {
    expect(path).toBe('/api/webhooks/1234/secret-token?wait=true');
    expect(json.allowed_mentions).toEqual({ parse: [] });
    expect(json.embeds.length).toBeLessThanOrEqual(10);
  }
  const text = JSON.stringify(messages());
  expect(text).not.toContain('too small');
  expect(messages()[0].embeds[0].fields[0].value).toBe('Rowan\\_V \\(p1\\)');
  expect(text).not.toMatch(/@everyone|<@1>|\*\*x\*\*/);
  expect(exceeded()).toBe(0);
  await untilTrue(async () => (await show()).attempts.length === receiver.deliveries.length);
  expect(JSON.stringify(await show())).not.toContain('secret-token');
});

test.each([401, 403, 404])('%i disables the endpoint', async (status) => {
  const { url } = await startChannel(status);
  const { post, show } = await createEndpoint(url);
  await post({ amount: 10, quantity: 1 });
  await untilTrue(async () => (await show()).webhook.status === 'disabled');
});

test('the summary of a week has a picture', async () => {
  const { receiver, url } = await startChannel();
  const { post } = await createEndpoint(url, { events: ['summary.weekly'] });
  await post({ amount: 10, quantity: 1, source: 'shop' });
  service.clock.advance(nextSummaryAt(service.clock.nowMs()) - service.clock.nowMs());
  const [delivery] = await receiver.until(1);
  expect(delivery?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=guildbook-/);
  expect(delivery?.body).toContain('"image":{"url":"attachment://week.png"}');
  expect(delivery?.body).toContain('PNG');
});

test('what Discord would read as formatting, mention or link is escaped, and long texts are cut', () => {
  expect(escapeText('**a** _b_ `c` @here <@5> https://x.y [l](m) # -')).toBe(
    '\\*\\*a\\*\\* \\_b\\_ \\`c\\` @\u200Bhere \\<@\u200B5\\> https\\:/\u200B/x.y \\[l\\]\\(m\\) \\# \\-',
  );
  expect(escapeText('a///b')).toBe('a/\u200B/\u200B/b');
  expect(escapeText('a'.repeat(5_000)).length).toBe(200);
  const facts = Object.fromEntries(
    ['name', 'username', 'playerId', 'type', 'from', 'to'].map((name) => [name, '*'.repeat(4_000)]),
  );
  const event = {
    id: 'e',
    type: 'transfer.created',
    atMs: 0,
    subject: { kind: 'facts', facts, playerIds: [] },
  } as const;
  const { embeds } = toChatMessage(
    Array.from({ length: 50 }, () => event),
    { names: new Map(), texts: TEXTS.en },
  );
  const characters = embeds.reduce(
    (sum, { title, description = '', fields = [] }) =>
      sum +
      title.length +
      description.length +
      fields.reduce((inner, one) => inner + one.name.length + one.value.length, 0),
    0,
  );
  expect(characters).toBeLessThanOrEqual(6_000);
  expect(embeds.at(-1)?.title).toMatch(/^And \d+ more$/);
});

test('the picture is a PNG whose rows are all there', async () => {
  const { drawWeek } = await import('../../src/webhooks/week-chart.ts');
  const png = drawWeek([{ label: 'MO', deposits: 5, withdrawals: 0 }]);
  const start = png.indexOf('IDAT') + 4;
  const length = png.readUInt32BE(start - 8);
  expect(inflateSync(png.subarray(start, start + length))).toHaveLength(561 * 220);
});
