import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scrape, seriesOf } from '../support/metrics.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';

const HOUR_MS = 3_600_000;

let service: TestService;
let key: string;

beforeEach(async () => {
  service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
  await service.addGuild('814203957731622912');
  key = (await service.addKey('814203957731622912')).value;
});
afterEach(() => service.stop());

const post = () => service.send({ method: 'POST', url: '/guild/ledger', key, payload: transactionBody() });
const readSeries = async (series: string) => seriesOf(await scrape(service), series);

test('the size of the store and the room on its disk are shown by part', async () => {
  await post();
  const sizeOf = async (part: string) => readSeries(`guildbook_store_size_bytes{part="${part}"}`);
  expect(await sizeOf('database')).toBe(statSync(service.file).size);
  // The service may write between the two looks, for instance when a key was last used.
  await untilTrue(async () => (await sizeOf('wal')) === statSync(`${service.file}-wal`).size);
  const text = await scrape(service);
  expect(seriesOf(text, 'guildbook_store_free_bytes')).toBeGreaterThan(0);
  expect(seriesOf(text, 'guildbook_store_writable')).toBe(1);
});

test('a store without a backup shows 0, and one that was recorded by hand shows its time', async () => {
  const series = 'guildbook_last_backup_timestamp_seconds';
  expect(await readSeries(series)).toBe(0);
  writeFileSync(`${service.file}-last-backup`, '');
  utimesSync(`${service.file}-last-backup`, 1_700_000_000, 1_700_000_000.25);
  expect(await readSeries(series)).toBe(1_700_000_000.25);
});

test('a clock that is set back shows how far it is behind the newest transaction, and posts keep their order', async () => {
  const series = 'guildbook_clock_behind_seconds';
  expect(await readSeries(series)).toBe(0);
  await post();
  expect(await readSeries(series)).toBe(0);
  const before = service.clock.nowMs();
  await post();
  await scrape(service);
  service.clock.advance(-HOUR_MS);
  expect(seriesOf(await scrape(service, false), series)).toBe((HOUR_MS - 15_000) / 1_000);
  await post();
  const url = '/guild/ledger/48213977/transactions?limit=2';
  const { transactions } = (await service.send({ method: 'GET', url, key })).body.data;
  const times = transactions.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt));
  expect(times).toEqual([before, before]);
});

test('figures that cannot be read are left out, and the rest of the metrics is there', async () => {
  await service.store.close();
  const text = await scrape(service);
  expect(text).toContain('guildbook_build_info{');
  expect(seriesOf(text, 'guildbook_clock_behind_seconds')).toBeUndefined();
  expect(seriesOf(text, 'guildbook_webhooks{state="active"}')).toBeUndefined();
});

test('figures are read once for all scrapes of fifteen seconds', async () => {
  const series = 'guildbook_webhooks{state="active"}';
  expect(await readSeries(series)).toBe(0);
  const events = ['transaction.posted'];
  const payload = { url: 'http://127.0.0.1:9/hook', kind: 'standard', events };
  const { status } = await service.send({ method: 'POST', url: '/guild/webhooks', key, payload });
  expect(status).toBe(200);
  service.clock.advance(14_999);
  expect(seriesOf(await scrape(service, false), series)).toBe(0);
  service.clock.advance(1);
  expect(seriesOf(await scrape(service, false), series)).toBe(1);
});
