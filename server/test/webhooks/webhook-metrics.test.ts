import { afterEach, beforeEach, expect, test } from 'vitest';
import { RETRY_AFTER_MS } from '../../src/domain/webhooks/retries.ts';
import { createTestClock } from '../support/clock.ts';
import { scrape, seriesOf } from '../support/metrics.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const GUILD_ID = '814203957731622912';
const DELIVERED = 'guildbook_webhook_attempts_total{kind="standard",outcome="delivered"}';
const FAILED = 'guildbook_webhook_attempts_total{kind="standard",outcome="failed"}';
const GIVEN_UP = 'guildbook_webhook_attempts_total{kind="standard",outcome="given_up"}';
const FIRST_AGE = 'guildbook_webhook_oldest_event_age_seconds{attempt="first"}';
const RETRY_AGE = 'guildbook_webhook_oldest_event_age_seconds{attempt="retry"}';
const stateOf = (state: string) => `guildbook_webhooks{state="${state}"}`;

let service: TestService;
let key: string;

beforeEach(async () => {
  const clock = createTestClock(Date.now());
  service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }, { clock });
  await service.addGuild(GUILD_ID);
  key = (await service.addKey(GUILD_ID)).value;
});
afterEach(() => service.stop());

async function createWebhook(url: string): Promise<string> {
  const payload = { url, kind: 'standard', events: ['transaction.posted'] };
  const reply = await service.send({ method: 'POST', url: '/guild/webhooks', key, payload });
  return reply.body.data.webhook.id;
}

const post = () => service.send({ method: 'POST', url: '/guild/ledger', key, payload: transactionBody() });

function countAttempts(text: string): number {
  return [DELIVERED, FAILED, GIVEN_UP].reduce((sum, series) => sum + (seriesOf(text, series) ?? 0), 0);
}

/** Scrapes until the series has the value: deliveries go their own way, and their outcome is written after the answer. */
async function untilSeries(series: string, value: number): Promise<string> {
  let text = '';
  await untilTrue(async () => {
    text = await scrape(service);
    return seriesOf(text, series) === value;
  });
  return text;
}

test('deliveries are counted by outcome, and endpoints by state', async () => {
  let isBroken = true;
  const receiver = await startReceiver((response) => void response.writeHead(isBroken ? 500 : 204).end());
  const before = await scrape(service);
  for (const series of [DELIVERED, FAILED, GIVEN_UP, stateOf('active'), stateOf('failing')]) {
    expect(seriesOf(before, series)).toBe(0);
  }
  await createWebhook(receiver.url);
  await untilSeries(stateOf('active'), 1);
  await post();
  const failed = await untilSeries(stateOf('failing'), 1);
  expect(seriesOf(failed, FAILED)).toBeGreaterThanOrEqual(1);
  expect(seriesOf(failed, DELIVERED)).toBe(0);
  isBroken = false;
  await post();
  const delivered = await untilSeries(stateOf('failing'), 0);
  expect(seriesOf(delivered, DELIVERED)).toBeGreaterThanOrEqual(1);
  expect(seriesOf(delivered, stateOf('active'))).toBe(1);
  expect(delivered).not.toContain(GUILD_ID);
});

test('the age of the oldest event that waits for a retry is that of the event, until it is given up', async () => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  await createWebhook(receiver.url);
  const postedAtMs = service.clock.nowMs();
  await post();
  await untilTrue(async () => (seriesOf(await scrape(service), RETRY_AGE) ?? 0) > 0);
  const text = await scrape(service);
  expect(seriesOf(text, RETRY_AGE)).toBe((service.clock.nowMs() - postedAtMs) / 1_000);
  const now = () => scrape(service, false);
  while (seriesOf(await now(), GIVEN_UP) === 0) {
    const attempts = countAttempts(await now());
    service.clock.advance(Math.max(...RETRY_AFTER_MS));
    await untilTrue(async () => countAttempts(await now()) > attempts);
  }
  expect(seriesOf(await now(), FAILED)).toBe(RETRY_AFTER_MS.length);
  await untilSeries(RETRY_AGE, 0);
});

test('events that nobody has tried to deliver show their age', async () => {
  const answer = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (response) => {
    await answer.promise;
    response.writeHead(204).end();
  });
  await createWebhook(receiver.url);
  expect(seriesOf(await scrape(service), FIRST_AGE)).toBe(0);
  const postedAtMs = service.clock.nowMs();
  await post();
  // The first event is on its way and holds the second one up.
  await post();
  await receiver.until(1);
  const text = await scrape(service);
  expect(seriesOf(text, FIRST_AGE)).toBe((service.clock.nowMs() - postedAtMs) / 1_000);
  answer.resolve();
  await receiver.until(2);
  await untilSeries(FIRST_AGE, 0);
});
