import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilTrue } from '../../server/test/support/patience.ts';
import { type Place, startPlace } from './support/place.ts';
import { DISCHARGE, GUILD_ID, TRANSFER } from './support/specimens.ts';

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const one of items) {
    all.push(one);
  }
  return all;
}

test('a key tells what it is, and is gone once it has deleted itself', async () => {
  const guildbook = place.connect();
  expect(await guildbook.getKey()).toMatchObject({
    guildId: GUILD_ID,
    limits: { amountMax: null, withdrawnPerDayMax: null },
    routeLimits: [],
  });
  await guildbook.deleteKey();
  await expect(guildbook.getKey()).rejects.toMatchObject({ kind: 'unauthorized', code: 'unauthorized' });
});

test('a key reads its counts and its refused requests', async () => {
  const guildbook = place.connect();
  for (const id of ['one', 'two', 'three']) {
    await expect(guildbook.getTransaction(id)).rejects.toMatchObject({ code: 'transaction_not_found' });
  }
  const code = 'transaction_not_found';
  await untilTrue(async () => (await guildbook.listKeyRequests({ code })).items.length === 3);
  const paths = (await gather(guildbook.keyRequests({ code, limit: 2 }))).map(({ path }) => path);
  expect(paths).toEqual(['three', 'two', 'one'].map((id) => `/guild/transactions/${id}`));
  const { since, hours } = await guildbook.getKeyUsage({ days: 2 });
  expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
  const refused = hours.filter((hour) => hour.code === code);
  expect(refused.reduce((sum, { count }) => sum + count, 0)).toBe(3);
});

test('discharges are written, guarded, walked through and deleted', async () => {
  const guildbook = place.connect();
  const { id: _id, guildId: _guildId, ...fields } = DISCHARGE;
  const first = await guildbook.putDischarge('by key', { ...fields, playerId: 'walker' });
  const second = await guildbook.addDischarge({ ...fields, playerId: 'walker' });
  expect(await guildbook.readDischarge('by key')).toEqual(first);
  const walked = await gather(guildbook.discharges({ playerId: 'walker', limit: 1 }));
  expect(walked.map(({ id }) => id).sort()).toEqual([second.record.id, 'by key'].sort());
  await guildbook.putDischarge('by key', { ...fields, name: 'Changed' }, { ifMatch: first.etag });
  await expect(guildbook.putDischarge('by key', fields, { ifMatch: first.etag })).rejects.toMatchObject({
    kind: 'conflict',
    code: 'record_changed',
  });
  expect(await guildbook.deleteDischarge('by key')).toBe(true);
  expect(await guildbook.deleteDischarge('by key')).toBe(false);
});

test('transfers are written, listed and deleted', async () => {
  const guildbook = place.connect();
  const { id: _id, guildId: _guildId, ...fields } = TRANSFER;
  const { record, etag } = await guildbook.addTransfer({ ...fields, playerId: 'mover' });
  expect((await guildbook.listTransfers({ playerId: 'mover' })).items).toEqual([record]);
  expect(await gather(guildbook.transfers({ playerId: 'mover' }))).toEqual([record]);
  expect(await guildbook.readTransfer(record.id)).toEqual({ record, etag });
  expect((await guildbook.putTransfer(record.id, { ...fields, name: 'Moved' })).record.name).toBe('Moved');
  expect(await guildbook.deleteTransfer(record.id)).toBe(true);
});
