import { describe, expect, it } from 'vitest';
import { type PaidInDay, USUAL_CHAT_SETTINGS } from '../../src/domain/chat/settings.ts';
import { CHANGE } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const SETTINGS = {
  commandsOff: ['pay', 'whois'],
  membersPay: true,
  payDayMaxUnits: 123_456,
  balancesShown: true,
};
const paid = (key: string, changes: Partial<PaidInDay> = {}): PaidInDay => ({
  chatId: 'ada',
  day: 20_000,
  key,
  units: 40,
  ...changes,
});

export function describeChatStore(createPlace: CreatePlace): void {
  describe('chat', () => {
    const open = shareByGuild(createPlace);

    it('a guild has its own settings, which the log shows', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      expect(await store.chat.settings(guild)).toEqual(USUAL_CHAT_SETTINGS);
      await store.chat.setSettings(guild, SETTINGS, CHANGE);
      await store.chat.setSettings(guild, SETTINGS, CHANGE);
      expect(await store.chat.settings(guild)).toEqual(SETTINGS);
      expect(await store.chat.settings(other)).toEqual(USUAL_CHAT_SETTINGS);
      const log = await store.audit.list(guild, { limit: 10, subjectKind: 'guild' });
      expect(log.filter(({ detail }) => detail.after?.chatMembersPay === true)).toHaveLength(1);
      expect(log[0]).toMatchObject({ actor: CHANGE.actor, detail: { before: { chatMembersPay: false } } });
      await store.chat.setSettings(
        guild,
        { ...SETTINGS, commandsOff: [], payDayMaxUnits: undefined },
        CHANGE,
      );
      expect(await store.chat.settings(guild)).toMatchObject({ commandsOff: [], payDayMaxUnits: undefined });
    });

    it('a guild is found with its settings, again without reading them, and anew after each change', async () => {
      const { store, guild } = await open();
      const { guildId } = guild;
      const first = await store.chat.find(guildId);
      expect(first).toMatchObject({ guild: { guildId }, settings: USUAL_CHAT_SETTINGS });
      expect(await store.chat.find(guildId)).toBe(first);
      await store.chat.setSettings(guild, SETTINGS, CHANGE);
      expect(await store.chat.find(guildId)).toMatchObject({ guild: first?.guild, settings: SETTINGS });
      const renamed = { guildId, name: 'Renamed', plan: 'none', defaultPlan: 'none' } as const;
      await store.guilds.set(renamed, CHANGE);
      expect(await store.chat.find(guildId)).toMatchObject({
        guild: { name: 'Renamed' },
        settings: SETTINGS,
      });
      expect(await store.chat.find(`${guildId}0`)).toBeUndefined();
    });

    it('payments of a day stay within the limit, each counts once, and at once', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const keys = ['a', 'b', 'c', 'a', 'b', 'c'];
      const counted = await Promise.all(keys.map((key) => store.chat.countPayment(guild, paid(key), 100)));
      const within = new Set(keys.filter((_key, index) => counted[index] === true));
      expect(within.size).toBe(2);
      for (const key of within) {
        expect(await store.chat.countPayment(guild, paid(key), 100)).toBe(true);
      }
      expect(await store.chat.countPayment(guild, paid('d', { units: 21 }), 100)).toBe(false);
      expect(await store.chat.countPayment(guild, paid('d', { chatId: 'bo' }), 100)).toBe(true);
      expect(await store.chat.countPayment(guild, paid('e', { day: 20_001 }), 100)).toBe(true);
      expect(await store.chat.countPayment(other, paid('f', { units: 100 }), 100)).toBe(true);
    });

    it('a refused payment does not count', async () => {
      const { store, guild } = await open();
      expect(await store.chat.countPayment(guild, paid('a', { units: 100 }), 100)).toBe(true);
      expect(await store.chat.countPayment(guild, paid('b'), 100)).toBe(false);
      await store.chat.uncountPayment(guild, paid('a', { units: 100 }));
      expect(await store.chat.countPayment(guild, paid('b'), 100)).toBe(true);
    });
  });
}
