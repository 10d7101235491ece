import { describe, expect, it } from 'vitest';
import { openGuilds } from '../../src/domain/access/managed-guilds.ts';
import {
  jsonBytes,
  PREFERENCE_BYTES_MAX,
  PREFERENCES_BYTES_MAX,
  SESSION_GUILDS_BYTES_MAX,
  SESSION_TOKEN_LENGTH_MAX,
} from '../../src/domain/access/personal-bounds.ts';
import { createPersonPreferences, type Preferences } from '../../src/domain/access/preferences.ts';
import { sealTokens } from '../../src/domain/access/session-tokens.ts';
import type { ChatGuild } from '../../src/domain/model.ts';
import type { ChatPlatform } from '../../src/domain/ports.ts';
import { domainError } from '../contract/specimens.ts';

/** Preferences in memory, as a store keeps them. */
function createPreferences() {
  let stored: Partial<Preferences> = {};
  const preferences = createPersonPreferences({
    find: async () => stored,
    async update(_chatId, changes) {
      stored = { ...stored, ...changes };
    },
  });
  return { preferences, stored: () => stored };
}

/** A view of such a length that the JSON of a list with only this view has `bytes` bytes. */
function aView(bytes: number) {
  const view = { guildId: '1', name: 'é', search: '' };
  return { ...view, search: 'x'.repeat(bytes - jsonBytes([view])) };
}

describe('what is stored for one person', () => {
  it('has preferences up to their bounds, and none beyond', async () => {
    const { preferences, stored } = createPreferences();
    const views = [aView(PREFERENCE_BYTES_MAX.views)];
    const hiddenColumns = ['x'.repeat(PREFERENCE_BYTES_MAX.hiddenColumns - 4)];
    const timeZone = 'America/Argentina/ComodRivadavia';
    await preferences.update('1', { views });
    await preferences.update('1', { hiddenColumns, timeZone, density: 'comfortable' });
    expect(jsonBytes(stored())).toBeLessThan(PREFERENCES_BYTES_MAX);
    const tooLarge = { views: [aView(PREFERENCE_BYTES_MAX.views + 1)] };
    await expect(preferences.update('1', tooLarge)).rejects.toMatchObject(domainError('invalid_input'));
    const tooMany = { hiddenColumns: [...hiddenColumns, ''] };
    await expect(preferences.update('1', tooMany)).rejects.toMatchObject(domainError('invalid_input'));
    expect(await preferences.find('1')).toEqual({ views, hiddenColumns, timeZone, density: 'comfortable' });
  });

  it('has no fields that are no preferences, and shows none that are stored', async () => {
    const { preferences, stored } = createPreferences();
    const changes = { density: 'compact', notes: 'x'.repeat(100_000) } as const;
    expect(await preferences.update('1', changes)).not.toHaveProperty('notes');
    expect(stored()).toEqual({ density: 'compact' });
    Object.assign(stored(), { notes: 'from an older version' });
    expect(await preferences.find('1')).not.toHaveProperty('notes');
  });

  it('has lists of guilds up to a bound, whatever the platform answers', async () => {
    const guilds: ChatGuild[] = Array.from({ length: 1_000 }, (_, index) => ({
      guildId: String(index),
      name: '界'.repeat(256),
      icon: undefined,
      isOwner: true,
      permissions: 0n,
    }));
    const open = await openGuilds(
      { chatId: '1', accessToken: 'a' },
      {
        platform: { fetchGuilds: async () => guilds } as unknown as ChatPlatform,
        roles: { grants: async () => [] },
        guildStore: { findExisting: async () => [] },
      },
    );
    expect(jsonBytes(open)).toBeLessThanOrEqual(SESSION_GUILDS_BYTES_MAX);
    expect(open.length).toBeGreaterThan(200);
    expect(open.map(({ guildId }) => guildId)).toEqual(open.map((_, index) => String(index)));
  });

  it('keeps guilds with a role where many others have accounts of the person', async () => {
    const guilds: ChatGuild[] = Array.from({ length: 1_000 }, (_, index) => ({
      guildId: String(index),
      name: '界'.repeat(256),
      icon: undefined,
      isOwner: index === 999,
      permissions: 0n,
    }));
    const open = await openGuilds(
      { chatId: '1', accessToken: 'a' },
      {
        platform: { fetchGuilds: async () => guilds } as unknown as ChatPlatform,
        roles: { grants: async () => [{ guildId: '998', chatRoles: [], invitedAs: 'viewer' }] },
        guildStore: { findExisting: async (ids) => ids.filter((id) => id !== '1') },
      },
    );
    expect(jsonBytes(open)).toBeLessThanOrEqual(SESSION_GUILDS_BYTES_MAX);
    expect(open.slice(0, 4).map(({ guildId }) => guildId)).toEqual(['999', '998', '0', '2']);
  });

  it('has tokens of the platform up to a bound', () => {
    const sealer = { seal: (text: string) => text, open: (text: string) => text };
    const longest = 'a'.repeat(SESSION_TOKEN_LENGTH_MAX);
    const seal = (accessToken: string, refreshToken: string) =>
      sealTokens(sealer, { accessToken, refreshToken, expiresAtMs: 0 }, 'hash');
    expect(seal(longest, longest)).toContain(longest);
    expect(() => seal(`${longest}a`, 'b')).toThrow('platform_unavailable');
    expect(() => seal('a', `${longest}b`)).toThrow('platform_unavailable');
  });
});
