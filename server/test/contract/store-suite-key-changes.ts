import { describe, expect, it } from 'vitest';
import { FORMER_VALUES_MAX } from '../../src/domain/access/api-keys.ts';
import { REFUSALS_NOTED } from '../../src/domain/access/key-usage.ts';
import { USAGE_DAYS_MAX } from '../../src/key-terms.ts';
import { changeAt } from '../support/change.ts';
import { aKey, CHANGE, NO_LIMITS, NOON_MS, refOf } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOON_HOUR = NOON_MS / HOUR_MS;

export function describeKeyChanges(createPlace: CreatePlace): void {
  describe('changes of keys', () => {
    const open = shareByGuild(createPlace);

    async function openWithKey() {
      const { store, guild, foundAnother } = await open();
      const key = aKey(guild, { expiresAtMs: NOON_MS + 30 * DAY_MS });
      await store.keys.insert(key, CHANGE);
      const rotate = (hash: string, formerUntilMs: number, atMs = NOON_MS) =>
        store.keys.rotate({ keyId: key.keyId, hash, prefix: 'gbk_new', formerUntilMs }, changeAt(atMs));
      return { store, guild, foundAnother, key, rotate };
    }

    it('a rotated key is found by both values, the old one until its time', async () => {
      const { store, guild, key, rotate } = await openWithKey();
      const before = await store.keys.findByHash(key.hash);
      const rotated = await rotate(`${key.hash} 2`, NOON_MS + DAY_MS);
      expect(rotated).toMatchObject({
        keyId: key.keyId,
        name: key.name,
        prefix: 'gbk_new',
        expiresAtMs: key.expiresAtMs,
      });
      expect(rotated?.formerUntilMs).toBe(NOON_MS + DAY_MS);
      const [present, former] = [
        await store.keys.findByHash(`${key.hash} 2`),
        await store.keys.findByHash(key.hash),
      ];
      expect(present).toEqual(before);
      expect(former).toEqual({ ...before, expiresAtMs: NOON_MS + DAY_MS });
      expect(await store.keys.find(guild, key.keyId)).toEqual(rotated);
    });

    it('an old value never outlives its key', async () => {
      const { store, guild } = await open();
      const key = aKey(guild, { expiresAtMs: NOON_MS + 1 });
      await store.keys.insert(key, CHANGE);
      const rotation = {
        keyId: key.keyId,
        hash: `${key.hash} 2`,
        prefix: 'p',
        formerUntilMs: NOON_MS + DAY_MS,
      };
      await store.keys.rotate(rotation, CHANGE);
      expect((await store.keys.findByHash(key.hash))?.expiresAtMs).toBe(NOON_MS + 1);
    });

    it('without overlap the old value is gone at once, and so are those before it', async () => {
      const { store, key, rotate } = await openWithKey();
      await rotate(`${key.hash} 2`, NOON_MS + DAY_MS);
      await store.keys.findByHash(key.hash);
      await rotate(`${key.hash} 3`, NOON_MS);
      expect(await store.keys.findByHash(key.hash)).toBeUndefined();
      expect(await store.keys.findByHash(`${key.hash} 2`)).toBeUndefined();
      expect((await store.keys.findByHash(`${key.hash} 3`))?.keyId).toBe(key.keyId);
    });

    it('a second rotation shortens earlier values and never extends them', async () => {
      const { store, key, rotate } = await openWithKey();
      await rotate(`${key.hash} 2`, NOON_MS + 5 * DAY_MS);
      await rotate(`${key.hash} 3`, NOON_MS + DAY_MS);
      expect((await store.keys.findByHash(key.hash))?.expiresAtMs).toBe(NOON_MS + DAY_MS);
      await rotate(`${key.hash} 4`, NOON_MS + 7 * DAY_MS);
      expect((await store.keys.findByHash(key.hash))?.expiresAtMs).toBe(NOON_MS + DAY_MS);
      expect((await store.keys.findByHash(`${key.hash} 3`))?.expiresAtMs).toBe(NOON_MS + 7 * DAY_MS);
    });

    it('a deleted key is found by none of its values', async () => {
      const { store, key, rotate } = await openWithKey();
      await rotate(`${key.hash} 2`, NOON_MS + DAY_MS);
      await store.keys.delete(key.keyId, CHANGE);
      expect(await store.keys.findByHash(key.hash)).toBeUndefined();
      expect(await store.keys.findByHash(`${key.hash} 2`)).toBeUndefined();
      expect(await rotate(`${key.hash} 3`, NOON_MS)).toBeUndefined();
    });

    it('a key has so many old values and no more; ended ones make room', async () => {
      const { key, rotate } = await openWithKey();
      for (let count = 1; count <= FORMER_VALUES_MAX; count += 1) {
        await rotate(`${key.hash} n${count}`, NOON_MS + DAY_MS);
      }
      await expect(rotate(`${key.hash} more`, NOON_MS + DAY_MS)).rejects.toMatchObject({
        code: 'invalid_input',
      });
      const later = NOON_MS + 2 * DAY_MS;
      expect(await rotate(`${key.hash} more`, later + DAY_MS, later)).toBeDefined();
    });

    it('an expired key gets no new value, and another guild’s key is not there', async () => {
      const { store, guild, foundAnother, key, rotate } = await openWithKey();
      await expect(rotate(`${key.hash} 2`, key.expiresAtMs, key.expiresAtMs)).rejects.toMatchObject({
        code: 'invalid_input',
      });
      const other = refOf(await foundAnother());
      const rotation = { keyId: key.keyId, hash: `${key.hash} 2`, prefix: 'p', formerUntilMs: NOON_MS };
      expect(await store.keys.rotate(rotation, CHANGE, other)).toBeUndefined();
      expect(await store.keys.update(key.keyId, { name: 'Theirs' }, CHANGE, other)).toBeUndefined();
      expect(await store.keys.find(other, key.keyId)).toBeUndefined();
      expect((await store.keys.find(guild, key.keyId))?.name).toBe(key.name);
    });

    it('what is given of a key is changed and logged, the rest stays', async () => {
      const { store, guild, key } = await openWithKey();
      const networks = ['203.0.113.0/24', '2001:db8::/32'];
      await store.keys.update(key.keyId, { name: 'Renamed', note: 'For the shop', networks }, CHANGE);
      await store.keys.update(key.keyId, { limits: { ...NO_LIMITS, amountMaxUnits: 5 } }, CHANGE);
      const changed = await store.keys.update(key.keyId, { note: null }, CHANGE);
      expect(changed).toMatchObject({
        name: 'Renamed',
        note: undefined,
        networks,
        limits: { amountMaxUnits: 5, withdrawnPerDayMaxUnits: undefined },
      });
      const found = await store.keys.findByHash(key.hash);
      expect(found?.isLimited).toBe(true);
      expect(
        ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1'].map((from) => found?.allows?.(from)),
      ).toEqual([true, true, true]);
      expect(['203.0.114.1', '2001:db9::1', 'nonsense'].map((from) => found?.allows?.(from))).toEqual([
        false,
        false,
        false,
      ]);
      await store.keys.update(key.keyId, { networks: [], limits: NO_LIMITS }, CHANGE);
      expect(await store.keys.findByHash(key.hash)).toMatchObject({ allows: undefined });
      const log = await store.audit.list(guild, { limit: 4, subjectKind: 'key' });
      expect(log.map(({ action, detail }) => [action, detail.after])).toEqual([
        ['update', { networks: null, amountMaxUnits: null }],
        ['update', { note: null }],
        ['update', { amountMaxUnits: 5 }],
        ['update', { name: 'Renamed', note: 'For the shop', networks: networks.join(' ') }],
      ]);
    });

    it('counts of use add up, and old hours are forgotten', async () => {
      const { store, guild, key } = await openWithKey();
      const { keyNo = -1 } = (await store.keys.findByHash(key.hash)) ?? {};
      const use = (hour: number, count: number, route = 'getKey') =>
        store.keys.touch([{ keyNo, usedAtMs: hour * HOUR_MS, counts: [{ hour, route, code: 'ok', count }] }]);
      await use(NOON_HOUR, 2);
      await use(NOON_HOUR, 3);
      await use(NOON_HOUR, 7, 'readFeed');
      await use(NOON_HOUR + 1, 1);
      const counts = [
        { hour: NOON_HOUR, route: 'getKey', code: 'ok', count: 5 },
        { hour: NOON_HOUR, route: 'readFeed', code: 'ok', count: 7 },
        { hour: NOON_HOUR + 1, route: 'getKey', code: 'ok', count: 1 },
      ];
      expect(await store.keys.usage(guild, key.keyId, NOON_HOUR)).toEqual(counts);
      expect(await store.keys.guildUsage(guild, NOON_HOUR)).toEqual(
        counts.map((count) => ({ keyId: key.keyId, ...count })),
      );
      const last = NOON_HOUR + USAGE_DAYS_MAX * 24;
      await use(last, 1);
      expect((await store.keys.usage(guild, key.keyId, 0)).map(({ hour }) => hour)).toEqual([
        NOON_HOUR + 1,
        last,
      ]);
    });

    it('refusals are summed by key and code, recent ones apart, without those of deleted keys', async () => {
      const { store, guild, key } = await openWithKey();
      const gone = aKey(guild);
      await store.keys.insert(gone, CHANGE);
      for (const { hash } of [key, gone]) {
        const { keyNo = -1 } = (await store.keys.findByHash(hash)) ?? {};
        const counts = [
          { hour: NOON_HOUR - 2, route: 'getKey', code: 'rate_limited', count: 1 },
          { hour: NOON_HOUR - 1, route: 'getKey', code: 'rate_limited', count: 2 },
          { hour: NOON_HOUR, route: 'getKey', code: 'rate_limited', count: 4 },
          { hour: NOON_HOUR, route: 'readFeed', code: 'rate_limited', count: 8 },
          { hour: NOON_HOUR, route: 'readFeed', code: 'missing_scope', count: 16 },
          { hour: NOON_HOUR, route: 'readFeed', code: 'ok', count: 32 },
        ];
        await store.keys.touch([{ keyNo, usedAtMs: NOON_MS, counts }]);
      }
      await store.keys.delete(gone.keyId, CHANGE);
      const hours = { sinceHour: NOON_HOUR - 1, recentHour: NOON_HOUR };
      expect(await store.keys.refusals(guild, hours)).toEqual([
        { keyId: key.keyId, code: 'missing_scope', recent: 16, before: 0 },
        { keyId: key.keyId, code: 'rate_limited', recent: 12, before: 2 },
      ]);
    });

    it('refusals of an hour are noted in the audit log once, from a number on', async () => {
      const { store, guild, key } = await openWithKey();
      const { keyNo = -1 } = (await store.keys.findByHash(key.hash)) ?? {};
      const refuse = (hour: number, count: number) =>
        store.keys.touch([
          {
            keyNo,
            usedAtMs: hour * HOUR_MS,
            counts: [{ hour, route: 'getKey', code: 'rate_limited', count }],
          },
        ]);
      expect(await refuse(NOON_HOUR, REFUSALS_NOTED - 1)).toEqual([]);
      expect(await refuse(NOON_HOUR + 1, 1)).toEqual([]);
      const [hour] = await refuse(NOON_HOUR, 1);
      expect(hour).toEqual({ keyNo, hour: NOON_HOUR, refused: REFUSALS_NOTED });
      await store.keys.noteRefusals({ keyNo, hour: NOON_HOUR, refused: REFUSALS_NOTED }, CHANGE);
      await store.keys.noteRefusals({ keyNo, hour: NOON_HOUR, refused: REFUSALS_NOTED + 5 }, CHANGE);
      const [entry, before] = await store.audit.list(guild, { limit: 10, subjectKind: 'key' });
      expect(entry).toMatchObject({
        action: 'update',
        subjectId: key.keyId,
        detail: { after: { name: key.name, refused: REFUSALS_NOTED, hour: new Date(NOON_MS).toISOString() } },
      });
      expect(before?.detail.after).not.toHaveProperty('refused');
    });
  });
}
