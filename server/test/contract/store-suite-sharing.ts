import { randomUUIDv7 } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANNOUNCEMENTS_KEPT_MS } from '../../src/domain/access/instances.ts';
import { USUAL_CHAT_SETTINGS } from '../../src/domain/chat/settings.ts';
import type { GuildRef, NewApiKey } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import {
  aCommand,
  aDischarge,
  aGuild,
  aKey,
  aQuery,
  aTransaction,
  aTransfer,
  CHANGE,
  domainError,
  NOON_MS,
} from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';
import { fill, snapshot } from './stored-sample.ts';

export function describeSharing(createPlace: CreatePlace): void {
  describe('two stores open on the same data', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let other: Store;
    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      other = await place.openAnother();
    });
    afterAll(() => place.close());

    /** The two stores, and a guild that no other test knows of. */
    async function openTwo() {
      const { store: one, passNoticeTime } = place;
      const guild = await one.guilds.set(aGuild({ guildId: randomUUIDv7() }), CHANGE);
      return { one, other, guild, passNoticeTime };
    }

    it('a key deleted through one is refused by the other in time', async () => {
      const { one, other, guild, passNoticeTime } = await openTwo();
      const key = aKey(guild);
      await one.keys.insert(key, CHANGE);
      expect((await other.keys.findByHash(key.hash))?.keyId).toBe(key.keyId);
      expect((await one.keys.findByHash(key.hash))?.keyId).toBe(key.keyId);
      await other.keys.delete(key.keyId, CHANGE);
      expect(await other.keys.findByHash(key.hash)).toBeUndefined();
      await passNoticeTime();
      expect(await one.keys.findByHash(key.hash)).toBeUndefined();
    });

    it('a change of the chat settings or of the guild through one is seen by the other at once', async () => {
      const { one, other, guild } = await openTwo();
      const { guildId } = guild;
      const usual = await one.chat.find(guildId);
      expect(await other.chat.find(guildId)).toEqual(usual);
      const settings = { ...USUAL_CHAT_SETTINGS, commandsOff: ['pay'], balancesShown: true };
      await one.chat.setSettings(guild, settings, CHANGE);
      // A request to another process arrives in a later turn of its event loop.
      await nextTurn();
      expect((await other.chat.find(guildId))?.settings).toEqual(settings);
      await other.guilds.set({ ...aGuild({ guildId }), name: 'Renamed' }, CHANGE);
      await nextTurn();
      expect((await one.chat.find(guildId))?.guild.name).toBe('Renamed');
    });

    it("a change of a guild's keys drops these keys from the caches of both, and leaves those of other guilds", async () => {
      const { one, other, guild: busy, passNoticeTime } = await openTwo();
      const { guild: calm } = await openTwo();
      const [changed, deleted] = [aKey(busy), aKey(busy)];
      const calmKeys = Array.from({ length: 20 }, () => aKey(calm));
      for (const key of [changed, deleted, ...calmKeys]) {
        await one.keys.insert(key, CHANGE);
      }
      await passNoticeTime();
      // A look-up that is answered from the cache returns the same object again.
      const find = (keys: readonly NewApiKey[]) =>
        Promise.all([one, other].flatMap(({ keys: all }) => keys.map(({ hash }) => all.findByHash(hash))));
      const calmBefore = await find(calmKeys);
      const busyBefore = await find([changed]);
      expect((await find([deleted])).every((key) => key !== undefined)).toBe(true);
      await one.keys.update(changed.keyId, { networks: ['10.0.0.0/8'], isTighteningOnly: false }, CHANGE);
      await one.keys.delete(deleted.keyId, CHANGE);
      await passNoticeTime();
      expect(await find([deleted])).toEqual([undefined, undefined]);
      for (const [index, key] of (await find([changed])).entries()) {
        expect(key).not.toBe(busyBefore[index]);
        expect(key?.allows?.('192.0.2.1')).toBe(false);
      }
      for (const [index, key] of (await find(calmKeys)).entries()) {
        expect(key).toBe(calmBefore[index]);
      }
      for (const { hash } of calmKeys) {
        expect(one.keys.recall(hash)).toBeDefined();
      }
    });

    it('a counter of keys that moved without a record of the guild empties the whole cache', async () => {
      const { one, other, guild, passNoticeTime } = await openTwo();
      const [key, later] = [aKey(guild), aKey(guild)];
      await one.keys.insert(key, CHANGE);
      await passNoticeTime();
      const before = await other.keys.findByHash(key.hash);
      // As a version without these records writes it.
      await place.execute("UPDATE revision SET value = value + 1 WHERE part = 'keys'");
      await passNoticeTime();
      const after = await other.keys.findByHash(key.hash);
      expect(after).not.toBe(before);
      await one.keys.insert(later, CHANGE);
      await place.execute("UPDATE revision SET value = value + 1 WHERE part = 'keys'");
      await passNoticeTime();
      expect(await other.keys.findByHash(key.hash)).not.toBe(after);
    });

    it('an instance announced through one is listed by the other at once, and forgotten long after its last time', async () => {
      const { one, other } = await openTwo();
      const first = { instanceId: randomUUIDv7(), seenAtMs: NOON_MS, state: 'shared' } as const;
      const second = { instanceId: randomUUIDv7(), seenAtMs: NOON_MS + 1, state: 'apart' } as const;
      await one.instances.announce(first);
      await other.instances.announce(second);
      expect(new Set(await one.instances.list())).toEqual(new Set([first, second]));
      const later = { ...first, seenAtMs: NOON_MS + ANNOUNCEMENTS_KEPT_MS + 1, state: 'apart' } as const;
      await one.instances.announce(later);
      expect(new Set(await other.instances.list())).toEqual(new Set([later, second]));
      const last = { ...later, seenAtMs: later.seenAtMs + 1, state: 'left' } as const;
      await one.instances.announce(last);
      expect(await other.instances.list()).toEqual([last]);
    });

    it('a catalogue replaced through one is listed by the other in time', async () => {
      const { one, other, passNoticeTime } = await openTwo();
      await one.commands.replace([aCommand({ name: 'old' })], CHANGE);
      await passNoticeTime();
      expect(await other.commands.list()).toEqual([aCommand({ name: 'old' })]);
      await one.commands.replace([aCommand({ name: 'new' })], CHANGE);
      await passNoticeTime();
      expect(await other.commands.list()).toEqual([aCommand({ name: 'new' })]);
      await other.commands.replace([], CHANGE);
      await passNoticeTime();
      expect(await one.commands.list()).toEqual([]);
    });

    it("an import into one guild leaves another guild's cached record in the cache", async () => {
      const { one, other, guild: busy, passNoticeTime } = await openTwo();
      const { guild: calm } = await openTwo();
      await one.discharges.put(calm, [aDischarge(calm)], CHANGE);
      await passNoticeTime();
      // Cached entries are valid until the revision changes.
      const revisionsOf = (guild: GuildRef) => Promise.all([one.revision(guild), other.revision(guild)]);
      const [calmBefore, busyBefore] = [await revisionsOf(calm), await revisionsOf(busy)];
      await one.discharges.put(busy, [aDischarge(busy)], CHANGE);
      await one.transfers.put(busy, [aTransfer(busy)], CHANGE);
      await passNoticeTime();
      expect(await revisionsOf(calm)).toEqual(calmBefore);
      // A store that does not know its revision returns undefined each time, and nothing of it is cached.
      const hasMoved = (await revisionsOf(busy)).map((revision, index) => revision !== busyBefore[index]);
      expect(hasMoved).toEqual(busyBefore.map((revision) => revision !== undefined));
    });

    it('guilds, keys, records, verifications and transactions written through one show in the other', async () => {
      const { one, other, guild, passNoticeTime } = await openTwo();
      await fill(one, guild);
      await passNoticeTime();
      expect(await snapshot(other, guild)).toEqual(await snapshot(one, guild));
    });

    it('posts through both at once go into one account without gaps', async () => {
      const { one, other, guild } = await openTwo();
      const posts = Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other).ledger.append(aTransaction(guild, { amountUnits: 1 })),
      );
      const balances = (await Promise.all(posts)).map((outcome) => outcome.balanceUnits);
      expect(balances.sort((a, b) => a - b)).toEqual(posts.map((_, index) => index + 1));
    });

    it('an overdraft setting changed through one holds in the other at once', async () => {
      const { one, other, guild } = await openTwo();
      await one.ledger.append(aTransaction(guild, { amountUnits: -1 }));
      await other.guilds.set(aGuild({ guildId: guild.guildId, overdraftAllowed: false }), CHANGE);
      const withdrawal = one.ledger.append(aTransaction(guild, { amountUnits: -1 }));
      await expect(withdrawal).rejects.toMatchObject(domainError('overdraft'));
    });

    it('closing one leaves the other working', async () => {
      const { other, guild } = await openTwo();
      await (await place.openAnother()).close();
      await other.ledger.append(aTransaction(guild));
      expect((await other.ledger.list(guild, '48213977', aQuery())).total).toBe(1);
    });
  });
}
