import { describe, expect, it } from 'vitest';
import { PREFERENCES_BYTES_MAX } from '../../src/domain/access/personal-bounds.ts';
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

    it('above the bound, which an older version stored, count as none and are replaced by the next change', async () => {
      const { store, guild } = await open();
      const cy = `cy of ${guild.guildId}`;
      await store.preferences.update(cy, { hiddenColumns: ['x'.repeat(PREFERENCES_BYTES_MAX)] });
      expect(await store.preferences.find(cy)).toEqual({});
      await store.preferences.update(cy, { density: 'compact' });
      expect(await store.preferences.find(cy)).toEqual({ density: 'compact' });
    });
  });
}
