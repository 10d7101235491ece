import { describe, expect, it } from 'vitest';
import { changeAt } from '../support/change.ts';
import { aGuild, CHANGE, domainError, LOOKALIKES, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlace, shareByGuild } from './store-place.ts';

export function describeGuildStore(createPlace: CreatePlace): void {
  describe('guilds', () => {
    const open = shareByGuild(createPlace);

    it('a guild that was made is found with everything it was given', async () => {
      const { store } = await open();
      const { defaultPlan: _, ...given } = aGuild({
        icon: 'picture',
        ownerChatId: '7',
        planUntilMs: NOON_MS + 1,
        overdraftAllowed: false,
        sealPublic: true,
        ownAccounts: false,
      });
      const made = await store.guilds.set(aGuild(given), CHANGE);
      expect(made).toEqual({ ...given, guildNo: made.guildNo, createdAtMs: CHANGE.atMs });
      expect(await store.guilds.find(given.guildId)).toEqual(made);
    });

    it('a guild made with its name alone has the default plan, no end, and may overdraw', async () => {
      const { store } = await open();
      const change = { guildId: 'with a name', name: 'G', defaultPlan: 'enterprise' } as const;
      const made = await store.guilds.set(change, CHANGE);
      expect(made).toEqual({
        guildNo: made.guildNo,
        guildId: 'with a name',
        name: 'G',
        icon: undefined,
        ownerChatId: undefined,
        plan: 'enterprise',
        planUntilMs: undefined,
        overdraftAllowed: true,
        sealPublic: false,
        ownAccounts: true,
        createdAtMs: CHANGE.atMs,
      });
    });

    it('a new guild without a name is refused, and nothing is made', async () => {
      const { store } = await open();
      const before = await store.guilds.list();
      const making = store.guilds.set({ guildId: 'no name', plan: 'developer', defaultPlan: 'none' }, CHANGE);
      await expect(making).rejects.toMatchObject(domainError('invalid_input'));
      expect(await store.guilds.list()).toEqual(before);
    });

    it('a guild that was never made is not found', async () => {
      const { store } = await open();
      await store.guilds.set(aGuild({ guildId: 'made' }), CHANGE);
      await store.guilds.set(aGuild({ guildId: 'also made' }), CHANGE);
      const asked = ['nobody', 'made', 'Made', 'also made', ''];
      expect(await store.guilds.findExisting(asked)).toEqual(['made', 'also made']);
      expect(await store.guilds.findExisting([])).toEqual([]);
      expect(await store.guilds.find('nobody')).toBeUndefined();
    });

    it('a change leaves what it does not name, the number and the creation time', async () => {
      const { store } = await open();
      const guildId = 'changed';
      const given = { icon: 'i', ownerChatId: 'o', planUntilMs: NOON_MS + 5 };
      const first = await store.guilds.set(aGuild({ guildId, ...given }), CHANGE);
      await store.guilds.set(aGuild({ guildId: 'another' }), CHANGE);
      const later = changeAt(NOON_MS + 999);
      const second = await store.guilds.set({ guildId, name: 'New', defaultPlan: 'none' }, later);
      expect(second).toEqual({ ...first, name: 'New' });
      expect(await store.guilds.find(guildId)).toEqual(second);
      const cleared = { icon: null, ownerChatId: null, planUntilMs: null };
      const third = await store.guilds.set({ guildId, ...cleared, defaultPlan: 'none' }, later);
      expect(third).toEqual({ ...second, icon: undefined, ownerChatId: undefined, planUntilMs: undefined });
    });

    it('how amounts and days are shown is kept, changed and taken away, and the log says so', async () => {
      const { store } = await openPlace(createPlace);
      const shown = {
        currencyName: 'Gold',
        currencySymbol: '⛁',
        decimalsShown: 0,
        timeZone: 'Asia/Tokyo',
        language: 'ja',
      } as const;
      const made = await store.guilds.set(aGuild(shown), CHANGE);
      expect(made).toMatchObject(shown);
      expect(await store.guilds.find(made.guildId)).toEqual(made);
      const wanted = { decimalsShown: 4, currencyName: null, timeZone: null, language: null };
      const changed = await store.guilds.set(aGuild(wanted), CHANGE);
      const none = { currencyName: undefined, timeZone: undefined, language: undefined };
      const now = { ...none, currencySymbol: '⛁', decimalsShown: 4 };
      expect(changed).toEqual({ ...made, ...now });
      expect(await store.guilds.find(made.guildId)).toEqual(changed);
      const [entry] = await store.audit.list(made, { limit: 1 });
      expect(entry?.detail).toEqual({
        before: { currencyName: 'Gold', decimalsShown: 0, timeZone: 'Asia/Tokyo', language: 'ja' },
        after: { decimalsShown: 4 },
      });
    });

    it('a plan that is given replaces the end of the one before', async () => {
      const { store, guild } = await open();
      const { guildId, planUntilMs } = guild;
      expect(planUntilMs).toBeUndefined();
      expect((await store.guilds.set(aGuild({ guildId, planUntilMs: 0 }), CHANGE)).planUntilMs).toBe(0);
      expect((await store.guilds.set(aGuild({ guildId }), CHANGE)).planUntilMs).toBeUndefined();
    });

    it('changes of different things at once all count, through two stores too', async () => {
      const { store, openAnother, guild } = await open();
      const other = await openAnother();
      const { guildId } = guild;
      const changes = [{ name: 'New' }, { icon: 'i' }, { ownerChatId: 'o' }, { overdraftAllowed: false }];
      await Promise.all(
        changes.map((change, index) =>
          (index % 2 === 0 ? store : other).guilds.set({ guildId, ...change, defaultPlan: 'none' }, CHANGE),
        ),
      );
      expect(await store.guilds.find(guildId)).toMatchObject(Object.assign({}, ...changes));
    });

    it('every guild has a number of its own, also when many are made at once', async () => {
      const { store } = await open();
      const ids = Array.from({ length: 50 }, (_, index) => `guild-${index}`);
      const guilds = await Promise.all(ids.map((guildId) => store.guilds.set(aGuild({ guildId }), CHANGE)));
      expect(new Set(guilds.map((guild) => guild.guildNo)).size).toBe(50);
      expect(guilds.map((guild) => guild.guildId)).toEqual(ids);
    });

    it('making one guild many times at once makes one guild', async () => {
      const { store } = await open();
      const before = await store.guilds.list();
      const puts = Array.from({ length: 20 }, () => store.guilds.set(aGuild({ guildId: 'same' }), CHANGE));
      const numbers = (await Promise.all(puts)).map((guild) => guild.guildNo);
      expect(new Set(numbers).size).toBe(1);
      expect(await store.guilds.list()).toHaveLength(before.length + 1);
    });

    it('the list of an empty store is empty; it holds all guilds, ordered by id byte by byte', async () => {
      const { store } = await openPlace(createPlace);
      expect(await store.guilds.list()).toEqual([]);
      for (const guildId of ['b', 'é', 'a', 'B', '10', '9', 'a b', 'ab']) {
        await store.guilds.set(aGuild({ guildId }), CHANGE);
      }
      const listed = (await store.guilds.list()).map((guild) => guild.guildId);
      expect(listed).toEqual(['10', '9', 'B', 'a', 'a b', 'ab', 'b', 'é']);
    });

    it('ids that only look alike are different guilds', async () => {
      const { store } = await open();
      for (const [one, other] of LOOKALIKES) {
        await store.guilds.set(aGuild({ guildId: one, name: 'one' }), CHANGE);
        expect(await store.guilds.find(other), `${one} and ${other}`).toBeUndefined();
        await store.guilds.set(aGuild({ guildId: other, name: 'other' }), CHANGE);
        expect((await store.guilds.find(one))?.name).toBe('one');
      }
    });
  });
}
