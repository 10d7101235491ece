import { describe, expect, it } from 'vitest';
import { type CreatePlace, shareByGuild } from './store-place.ts';

export function describePreferenceStore(createPlace: CreatePlace): void {
  describe('preferences', () => {
    const open = shareByGuild(createPlace);

    it('are those of one person, and a change leaves the others of theirs as they are', async () => {
      const { store, guild } = await open();
      const [ada, bo] = [`ada of ${guild.guildId}`, `bo of ${guild.guildId}`];
      expect(await store.preferences.find(ada)).toEqual({});
      const view = { guildId: guild.guildId, name: 'Gänse “1”', search: '?from=shop' };
      await store.preferences.update(ada, { timeZone: 'Europe/Berlin', hiddenColumns: ['source'] });
      await Promise.all([
        store.preferences.update(ada, { views: [view] }),
        store.preferences.update(ada, { timeZone: null }),
        store.preferences.update(bo, { density: 'compact' }),
      ]);
      expect(await store.preferences.find(ada)).toEqual({
        timeZone: null,
        hiddenColumns: ['source'],
        views: [view],
      });
      expect(await store.preferences.find(bo)).toEqual({ density: 'compact' });
    });
  });
}
