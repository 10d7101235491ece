import { expect, it } from 'vitest';
import { type CountedKey, type CountUse, createKeyUsage } from '../../src/domain/access/key-usage.ts';
import { DomainError, type ErrorCode } from '../../src/domain/errors.ts';
import type { KeyStore } from '../../src/domain/ports.ts';
import { aGuild, aKey, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestStore } from '../support/open-store.ts';

const HOUR_MS = 3_600_000;
const ROUTE = 'getKey';
const OTHER_ROUTE = 'listTransactions';

const newKey = (keyNo: number): CountedKey => ({ keyNo, uses: undefined });

/** A real store with two keys, whose touches are counted and can be made to fail. */
async function openUsage() {
  const { store } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const keys = [aKey(guild, { name: 'one', createdAtMs: NOON_MS }), aKey(guild, { name: 'two' })];
  const keyNos: number[] = [];
  for (const key of keys) {
    await store.keys.insert(key, CHANGE);
    keyNos.push((await store.keys.findByHash(key.hash))?.keyNo ?? -1);
  }
  let isFailing = false;
  let touches = 0;
  const touched: number[] = [];
  const keyStore: KeyStore = {
    ...store.keys,
    async touch(uses) {
      touches += 1;
      if (isFailing) {
        throw new DomainError('store_unavailable');
      }
      touched.push(...uses.map(({ keyNo }) => keyNo));
      return store.keys.touch(uses);
    },
  };
  const [one = newKey(-1), two = newKey(-1)] = keyNos.map(newKey);
  const usage = createKeyUsage(keyStore, createTestClock(NOON_MS));
  const recorders = new Map<string, CountUse>();
  return {
    usage,
    record(key: CountedKey, route: string, usedAtMs: number, refusal?: ErrorCode) {
      const count = recorders.get(route) ?? usage.recorderOf(route);
      recorders.set(route, count);
      count(key, usedAtMs, refusal);
    },
    one,
    two,
    setFailing(failing: boolean) {
      isFailing = failing;
    },
    touchCount: () => touches,
    touched,
    counts: (sinceHour: number) => store.keys.usage(guild, keys[0]?.keyId ?? '', sinceHour),
    async lastUses() {
      const listed = await store.keys.list(guild);
      return Object.fromEntries(listed.map((key) => [key.name, key.lastUsedAtMs]));
    },
  };
}

it('a recorded use is written by the next flush, not before', async () => {
  const { usage, record, one, lastUses, touchCount } = await openUsage();
  record(one, ROUTE, NOON_MS);
  expect(await lastUses()).toEqual({ one: undefined, two: undefined });
  expect(touchCount()).toBe(0);
  await usage.flush();
  expect(await lastUses()).toEqual({ one: NOON_MS, two: undefined });
});

it('many uses of many keys are one write with the latest of each', async () => {
  const { usage, record, one, two, lastUses, touchCount } = await openUsage();
  for (let use = 0; use < 50; use += 1) {
    record(one, ROUTE, NOON_MS + use);
    record(two, ROUTE, NOON_MS + 1_000 + use);
  }
  await usage.flush();
  expect(await lastUses()).toEqual({ one: NOON_MS + 49, two: NOON_MS + 1_049 });
  expect(touchCount()).toBe(1);
});

it('a flush with nothing new writes nothing', async () => {
  const { usage, record, one, touchCount } = await openUsage();
  await usage.flush();
  record(one, ROUTE, NOON_MS);
  await usage.flush();
  await usage.flush();
  expect(touchCount()).toBe(1);
});

it('a flush writes a thirtieth of many keys, those that wait the longest first', async () => {
  const { usage, record, touched } = await openUsage();
  const keyNos = Array.from({ length: 33_000 }, (_, keyNo) => keyNo + 1_000);
  const keys = keyNos.map(newKey);
  for (const key of keys) {
    record(key, ROUTE, NOON_MS);
  }
  await usage.flush();
  expect(touched).toEqual(keyNos.slice(0, 1_100));
  record(keys[0] ?? newKey(-1), ROUTE, NOON_MS + 1);
  for (let flushes = 0; flushes < 45; flushes += 1) {
    await usage.flush();
  }
  expect(touched).toEqual([...keyNos, 1_000]);
});

it('before the service stops, one flush writes all keys', async () => {
  const { usage, record, one, touched, touchCount, lastUses } = await openUsage();
  for (let keyNo = 1_000; keyNo < 1_500; keyNo += 1) {
    record(newKey(keyNo), ROUTE, NOON_MS);
  }
  record(one, ROUTE, NOON_MS);
  await usage.flushAll();
  expect(touched).toHaveLength(501);
  expect(touchCount()).toBe(1);
  expect((await lastUses()).one).toBe(NOON_MS);
});

it('a clock that went back does not take a use back that is not written yet', async () => {
  const { usage, record, one, lastUses } = await openUsage();
  record(one, ROUTE, NOON_MS + 5);
  record(one, ROUTE, NOON_MS);
  await usage.flush();
  expect((await lastUses()).one).toBe(NOON_MS + 5);
});

it('what a failed flush could not write is told and goes out with the next', async () => {
  const { usage, record, one, two, setFailing, lastUses } = await openUsage();
  record(one, ROUTE, NOON_MS);
  setFailing(true);
  await expect(usage.flush()).rejects.toMatchObject({ code: 'store_unavailable' });
  record(two, ROUTE, NOON_MS + 1);
  setFailing(false);
  await usage.flush();
  expect(await lastUses()).toEqual({ one: NOON_MS, two: NOON_MS + 1 });
});

it('a use recorded while a failing flush was under way is kept, the later one winning', async () => {
  const { usage, record, one, two, setFailing, lastUses } = await openUsage();
  record(one, ROUTE, NOON_MS);
  record(two, ROUTE, NOON_MS + 9);
  setFailing(true);
  const flushing = usage.flush();
  record(one, ROUTE, NOON_MS + 5);
  record(two, ROUTE, NOON_MS + 3);
  await expect(flushing).rejects.toMatchObject({ code: 'store_unavailable' });
  setFailing(false);
  await usage.flush();
  expect(await lastUses()).toEqual({ one: NOON_MS + 5, two: NOON_MS + 9 });
});

it('answers and refusals are counted by hour, route and code, and a failed flush loses none', async () => {
  const { usage, record, one, setFailing, counts } = await openUsage();
  const hour = NOON_MS / HOUR_MS;
  record(one, ROUTE, NOON_MS);
  record(one, ROUTE, NOON_MS, 'rate_limited');
  setFailing(true);
  await expect(usage.flush()).rejects.toMatchObject({ code: 'store_unavailable' });
  setFailing(false);
  record(one, ROUTE, NOON_MS + 1);
  record(one, ROUTE, NOON_MS + HOUR_MS);
  record(one, ROUTE, NOON_MS + HOUR_MS, 'missing_scope');
  record(one, ROUTE, NOON_MS + HOUR_MS, 'missing_scope');
  await usage.flush();
  expect(await counts(hour)).toEqual([
    { hour, route: ROUTE, code: 'ok', count: 2 },
    { hour, route: ROUTE, code: 'rate_limited', count: 1 },
    { hour: hour + 1, route: ROUTE, code: 'missing_scope', count: 2 },
    { hour: hour + 1, route: ROUTE, code: 'ok', count: 1 },
  ]);
  expect(await counts(hour + 1)).toHaveLength(2);
});

it('counts several routes in turn, and two copies of one key together', async () => {
  const { usage, record, one, setFailing, counts } = await openUsage();
  const hour = NOON_MS / HOUR_MS;
  const copy = newKey(one.keyNo);
  record(one, ROUTE, NOON_MS);
  record(one, OTHER_ROUTE, NOON_MS);
  record(copy, ROUTE, NOON_MS);
  await usage.flush();
  // Both copies have counts of their own now.
  const third = newKey(one.keyNo);
  record(third, OTHER_ROUTE, NOON_MS);
  record(one, ROUTE, NOON_MS);
  setFailing(true);
  const flushing = usage.flush();
  record(copy, ROUTE, NOON_MS);
  await expect(flushing).rejects.toMatchObject({ code: 'store_unavailable' });
  record(third, ROUTE, NOON_MS);
  setFailing(false);
  await usage.flush();
  expect(await counts(hour)).toEqual([
    { hour, route: ROUTE, code: 'ok', count: 5 },
    { hour, route: OTHER_ROUTE, code: 'ok', count: 2 },
  ]);
});

it('requests are counted with their own time', async () => {
  const { usage, record, one, two, counts, lastUses } = await openUsage();
  const hour = NOON_MS / HOUR_MS;
  record(one, ROUTE, NOON_MS);
  record(one, OTHER_ROUTE, NOON_MS);
  record(one, ROUTE, NOON_MS, 'rate_limited');
  record(two, ROUTE, NOON_MS);
  record(one, ROUTE, NOON_MS + HOUR_MS);
  await usage.flush();
  expect(await counts(hour)).toEqual([
    { hour, route: ROUTE, code: 'ok', count: 1 },
    { hour, route: ROUTE, code: 'rate_limited', count: 1 },
    { hour, route: OTHER_ROUTE, code: 'ok', count: 1 },
    { hour: hour + 1, route: ROUTE, code: 'ok', count: 1 },
  ]);
  expect(await lastUses()).toEqual({ one: NOON_MS + HOUR_MS, two: NOON_MS });
});

it.each(['flush', 'flushAll'] as const)('%s counts all requests, however many', async (write) => {
  const { usage, record, one, counts } = await openUsage();
  for (let request = 0; request < 600; request += 1) {
    record(one, ROUTE, NOON_MS);
  }
  await usage[write]();
  expect(await counts(0)).toMatchObject([{ route: ROUTE, code: 'ok', count: 600 }]);
  record(one, ROUTE, NOON_MS);
  await usage[write]();
  expect(await counts(0)).toMatchObject([{ route: ROUTE, code: 'ok', count: 601 }]);
});
