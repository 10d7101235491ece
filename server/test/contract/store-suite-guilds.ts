import { describe, expect, it } from 'vitest';
import { aGuild, LOOKALIKES, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlace } from './store-place.ts';

export function describeGuildStore(createPlace: CreatePlace): void {
  describe('guilds', () => {
    it('a guild that was put is found with everything it was given', async () => {
      const { store } = await openPlace(createPlace);
      const given = aGuild({ planUntilMs: NOON_MS + 1, overdraftAllowed: false });
      const put = await store.guilds.put(given);
      expect(put).toEqual({ ...given, guildNo: put.guildNo });
      expect(await store.guilds.find(given.guildId)).toEqual(put);
    });

    it('a guild that was never put is not found', async () => {
      const { store } = await openPlace(createPlace);
      await store.guilds.put(aGuild());
      expect(await store.guilds.find('nobody')).toBeUndefined();
    });

    it('putting a guild again replaces what is given but keeps its number and creation time', async () => {
      const { store } = await openPlace(createPlace);
      const first = await store.guilds.put(aGuild({ plan: 'enterprise', planUntilMs: NOON_MS + 5 }));
      await store.guilds.put(aGuild({ guildId: 'another' }));
      const changed = aGuild({ name: 'New Name', plan: 'none', overdraftAllowed: false });
      const second = await store.guilds.put({ ...changed, createdAtMs: NOON_MS + 999 });
      expect(second).toEqual({ ...changed, guildNo: first.guildNo, createdAtMs: NOON_MS });
      expect(await store.guilds.find(first.guildId)).toEqual(second);
    });

    it('a plan without an end stays without an end, and one with an end loses it when replaced', async () => {
      const { store } = await openPlace(createPlace);
      expect((await store.guilds.put(aGuild())).planUntilMs).toBeUndefined();
      expect((await store.guilds.put(aGuild({ planUntilMs: 0 }))).planUntilMs).toBe(0);
      expect((await store.guilds.put(aGuild())).planUntilMs).toBeUndefined();
    });

    it('every guild has a number of its own, also when many are put at once', async () => {
      const { store } = await openPlace(createPlace);
      const ids = Array.from({ length: 50 }, (_, index) => `guild-${index}`);
      const guilds = await Promise.all(ids.map((guildId) => store.guilds.put(aGuild({ guildId }))));
      expect(new Set(guilds.map((guild) => guild.guildNo)).size).toBe(50);
      expect(guilds.map((guild) => guild.guildId)).toEqual(ids);
    });

    it('putting one guild many times at once makes one guild', async () => {
      const { store } = await openPlace(createPlace);
      const puts = Array.from({ length: 20 }, () => store.guilds.put(aGuild()));
      const numbers = (await Promise.all(puts)).map((guild) => guild.guildNo);
      expect(new Set(numbers).size).toBe(1);
      expect(await store.guilds.list()).toHaveLength(1);
    });

    it('the list holds all guilds, ordered by id byte by byte', async () => {
      const { store } = await openPlace(createPlace);
      for (const guildId of ['b', 'é', 'a', 'B', '10', '9', 'a b', 'ab']) {
        await store.guilds.put(aGuild({ guildId }));
      }
      const listed = (await store.guilds.list()).map((guild) => guild.guildId);
      expect(listed).toEqual(['10', '9', 'B', 'a', 'a b', 'ab', 'b', 'é']);
    });

    it('the list of an empty store is empty', async () => {
      const { store } = await openPlace(createPlace);
      expect(await store.guilds.list()).toEqual([]);
    });

    it('ids that only look alike are different guilds', async () => {
      const { store } = await openPlace(createPlace);
      for (const [one, other] of LOOKALIKES) {
        await store.guilds.put(aGuild({ guildId: one, name: 'one' }));
        expect(await store.guilds.find(other), `${one} and ${other}`).toBeUndefined();
        await store.guilds.put(aGuild({ guildId: other, name: 'other' }));
        expect((await store.guilds.find(one))?.name).toBe('one');
      }
    });
  });
}
