import { describe, expect, it } from 'vitest';
import { KEYS_PER_GUILD_MAX } from '../../src/domain/access/api-keys.ts';
import { SCOPES, type StoredKey } from '../../src/domain/model.ts';
import { changeAt } from '../support/change.ts';
import { untilTrue } from '../support/patience.ts';
import { aKey, CHANGE, LOOKALIKES, NOON_MS, refOf } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

/** SQL that inserts `count` live keys of a guild. Inserting them one by one through the port would take seconds. */
function manyKeys(guildNo: number, count: number): string {
  return `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
    INSERT INTO api_key (key_id, guild_no, hash, prefix, name, scopes, created_by, created_at, expires_at)
    SELECT 'many ' || n, ${guildNo}, 'hash of many ' || n, 'gbk_0aB1cD2e', 'Many', '', 'chat-1', ${NOON_MS},
      ${NOON_MS + 86_400_000} FROM counted`;
}

export function describeKeyStore(createPlace: CreatePlace): void {
  describe('keys', () => {
    const open = shareByGuild(createPlace);

    it('a key is found by its hash with what authentication needs and nothing more', async () => {
      const { store, guild } = await open();
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      const found = await store.keys.findByHash(key.hash);
      const { keyId, scopes, expiresAtMs } = key;
      expect(found).toEqual({
        keyNo: expect.any(Number),
        keyId,
        guild: refOf(guild),
        scopes,
        expiresAtMs,
        allows: undefined,
        // True on stores that keep limits apart from keys: their posts then read the limits.
        isLimited: expect.any(Boolean),
        keepsAllUntilMs: 0,
        uses: undefined,
      });
    });

    it('an expired key is still found, since judging it is not the store’s business', async () => {
      const { store, guild } = await open();
      const key = aKey(guild, { expiresAtMs: 1 });
      await store.keys.insert(key, CHANGE);
      expect((await store.keys.findByHash(key.hash))?.expiresAtMs).toBe(1);
    });

    it('a hash that is not known is not found, and is found once its key was inserted', async () => {
      const { store, guild } = await open();
      const key = aKey(guild);
      expect(await store.keys.findByHash(key.hash)).toBeUndefined();
      await store.keys.insert(key, CHANGE);
      expect((await store.keys.findByHash(key.hash))?.keyId).toBe(key.keyId);
    });

    it('a deleted key is not found from the moment its delete resolved, however often it was found before', async () => {
      const { store, guild } = await open();
      const key = aKey(guild);
      const other = aKey(guild);
      await store.keys.insert(key, CHANGE);
      await store.keys.insert(other, CHANGE);
      await store.keys.findByHash(key.hash);
      await store.keys.findByHash(key.hash);
      expect(await store.keys.delete(key.keyId, changeAt(NOON_MS + 1))).toBe(true);
      expect(await store.keys.findByHash(key.hash)).toBeUndefined();
      expect((await store.keys.findByHash(other.hash))?.keyId).toBe(other.keyId);
    });

    it('a key in memory is recalled at once, one that was deleted is not', async () => {
      const { store, guild } = await open();
      const key = aKey(guild);
      expect(store.keys.recall(key.hash)).toBeUndefined();
      await store.keys.insert(key, CHANGE);
      const found = await store.keys.findByHash(key.hash);
      expect(found).toBeDefined();
      // A notification of the insert may come late and empty the memory right after a look, so it is asked again.
      let recalled: StoredKey | undefined;
      await untilTrue(async () => {
        await store.keys.findByHash(key.hash);
        recalled = store.keys.recall(key.hash);
        return recalled !== undefined;
      });
      expect(recalled).toEqual(found);
      await store.keys.delete(key.keyId, changeAt(NOON_MS + 1));
      expect(store.keys.recall(key.hash)).toBeUndefined();
      await store.keys.findByHash(key.hash);
      expect(store.keys.recall(key.hash)).toBeUndefined();
    });

    it('names of keys are found for their own guild, of deleted keys too', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const [present, deleted] = [aKey(guild, { name: 'Present' }), aKey(guild, { name: 'Deleted' })];
      const theirs = aKey(other, { name: 'Theirs' });
      for (const key of [present, deleted, theirs]) {
        await store.keys.insert(key, CHANGE);
      }
      await store.keys.delete(deleted.keyId, CHANGE);
      const asked = [theirs.keyId, deleted.keyId, 'nothing', present.keyId];
      const found = await store.keys.findNames(guild, asked);
      expect(found.map(({ name }) => name).sort()).toEqual(['Deleted', 'Present']);
      expect(await store.keys.findNames(other, asked)).toEqual([{ keyId: theirs.keyId, name: 'Theirs' }]);
      expect(await store.keys.findNames(guild, [])).toEqual([]);
    });

    it("deleting within a guild leaves another guild's key alone", async () => {
      const { store, guild, foundAnother } = await open();
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      expect(await store.keys.delete(key.keyId, CHANGE, refOf(await foundAnother()))).toBe(false);
      expect((await store.keys.findByHash(key.hash))?.keyId).toBe(key.keyId);
      expect(await store.keys.delete(key.keyId, CHANGE, refOf(guild))).toBe(true);
    });

    it('a guild has so many live keys and no more; deleted and expired ones make room', async () => {
      const { store, guild, foundAnother, execute } = await open();
      const keys = Array.from({ length: 10 }, () => aKey(guild));
      await execute(manyKeys(guild.guildNo, KEYS_PER_GUILD_MAX - keys.length));
      await Promise.all(keys.map((key) => store.keys.insert(key, CHANGE)));
      const refused = aKey(guild);
      await expect(store.keys.insert(refused, CHANGE)).rejects.toMatchObject({ code: 'key_limit' });
      expect(await store.keys.findByHash(refused.hash)).toBeUndefined();
      await store.keys.insert(aKey(await foundAnother()), CHANGE);
      await store.keys.delete(keys[0]?.keyId ?? '', CHANGE);
      await store.keys.insert(refused, CHANGE);
      const expiresAtMs = refused.expiresAtMs;
      await expect(store.keys.insert(aKey(guild), changeAt(expiresAtMs - 1))).rejects.toThrow('key_limit');
      await store.keys.insert(aKey(guild), changeAt(expiresAtMs));
    });

    it('deleting a key that does not exist or is deleted already says so', async () => {
      const { store, guild } = await open();
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      expect(await store.keys.delete('no such key', CHANGE)).toBe(false);
      expect(await store.keys.delete(key.keyId, CHANGE)).toBe(true);
      expect(await store.keys.delete(key.keyId, CHANGE)).toBe(false);
    });

    it('of many deletes of one key at once exactly one succeeds', async () => {
      const { store, guild } = await open();
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => store.keys.delete(key.keyId, CHANGE)),
      );
      expect(answers.filter((deleted) => deleted)).toHaveLength(1);
    });

    it('the list shows a guild’s keys newest first, without deleted ones, those of others or any hash', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const [first, second, third, gone] = [2, 3, 1, 4].map((age) =>
        aKey(guild, { createdAtMs: NOON_MS - age * 1_000 }),
      );
      if (!first || !second || !third || !gone) throw new Error('four keys were made');
      for (const key of [first, second, third, gone, aKey(other)]) {
        await store.keys.insert(key, CHANGE);
      }
      await store.keys.delete(gone.keyId, CHANGE);
      const expected = [third, first, second].map(({ hash: _, ...shown }) => ({
        ...shown,
        lastUsedAtMs: undefined,
        note: undefined,
        networks: [],
        routeLimits: [],
        limits: { amountMaxUnits: undefined, withdrawnPerDayMaxUnits: undefined },
        formerUntilMs: undefined,
      }));
      expect(await store.keys.list(guild)).toEqual(expected);
      const names = expected.map(({ keyId, name }) => ({ keyId, name }));
      expect(await store.keys.listNames(guild)).toEqual(names);
    });

    it('of keys made in the same millisecond the one inserted last is listed first', async () => {
      const { store, guild } = await open();
      for (const keyId of ['m', 'z', 'a']) {
        await store.keys.insert(aKey(guild, { keyId }), CHANGE);
      }
      expect((await store.keys.list(guild)).map((key) => key.keyId)).toEqual(['a', 'z', 'm']);
      expect((await store.keys.listNames(guild)).map((key) => key.keyId)).toEqual(['a', 'z', 'm']);
    });

    it.each([[[]], [['users:read'] as const], [SCOPES]])(
      'the scopes %j come back as they were given',
      async (scopes) => {
        const { store, guild } = await open();
        const key = aKey(guild, { scopes });
        await store.keys.insert(key, CHANGE);
        expect((await store.keys.findByHash(key.hash))?.scopes).toEqual(scopes);
        expect((await store.keys.list(guild))[0]?.scopes).toEqual(scopes);
      },
    );

    it('hashes that only look alike belong to different keys', async () => {
      const { store, guild } = await open();
      for (const [one, other] of LOOKALIKES) {
        await store.keys.insert(aKey(guild, { hash: one }), CHANGE);
        expect(await store.keys.findByHash(other), `${one} and ${other}`).toBeUndefined();
        await store.keys.insert(aKey(guild, { hash: other }), CHANGE);
      }
    });

    describe('last use', () => {
      async function openWithKey() {
        const { store, guild } = await open();
        const key = aKey(guild);
        await store.keys.insert(key, CHANGE);
        const keyNo = (await store.keys.findByHash(key.hash))?.keyNo ?? -1;
        const lastUse = async () => (await store.keys.list(guild))[0]?.lastUsedAtMs;
        return { store, guild, key, keyNo, lastUse };
      }

      it('is undefined until the key is used, then the time given', async () => {
        const { store, keyNo, lastUse } = await openWithKey();
        expect(await lastUse()).toBeUndefined();
        await store.keys.touch([{ keyNo, usedAtMs: NOON_MS + 7 }]);
        expect(await lastUse()).toBe(NOON_MS + 7);
      });

      it('moves forward and never back, within one call too', async () => {
        const { store, keyNo, lastUse } = await openWithKey();
        await store.keys.touch([
          { keyNo, usedAtMs: NOON_MS + 9 },
          { keyNo, usedAtMs: NOON_MS + 5 },
        ]);
        expect(await lastUse()).toBe(NOON_MS + 9);
        await store.keys.touch([{ keyNo, usedAtMs: NOON_MS + 8 }]);
        expect(await lastUse()).toBe(NOON_MS + 9);
        await store.keys.touch([{ keyNo, usedAtMs: NOON_MS + 10 }]);
        expect(await lastUse()).toBe(NOON_MS + 10);
      });

      it('touches only the keys named, and unknown numbers harm nothing', async () => {
        const { store, guild, keyNo } = await openWithKey();
        const other = aKey(guild, { createdAtMs: NOON_MS - 1 });
        await store.keys.insert(other, CHANGE);
        await store.keys.touch([
          { keyNo: keyNo + 1_000, usedAtMs: NOON_MS },
          { keyNo, usedAtMs: NOON_MS },
        ]);
        expect((await store.keys.list(guild)).map((key) => key.lastUsedAtMs)).toEqual([NOON_MS, undefined]);
        await store.keys.touch([]);
      });

      it('of a deleted key is accepted and does not bring it back', async () => {
        const { store, guild, key, keyNo } = await openWithKey();
        await store.keys.delete(key.keyId, CHANGE);
        await store.keys.touch([{ keyNo, usedAtMs: NOON_MS + 1 }]);
        expect(await store.keys.list(guild)).toEqual([]);
        expect(await store.keys.findByHash(key.hash)).toBeUndefined();
      });
    });
  });
}
