import { expect, test } from 'vitest';
import { guildPlaceOf } from '../src/app/guild-place.ts';

test.each([
  ['/dashboard/guilds/g', { guildId: 'g', page: 'overview', id: '' }],
  ['/dashboard/guilds/g/', { guildId: 'g', page: 'overview', id: '' }],
  ['/dashboard/guilds/g/ledger', { guildId: 'g', page: 'ledger', id: '' }],
  ['/dashboard/guilds/g/ledger/a%2Fb', { guildId: 'g', page: 'person', id: 'a/b' }],
  ['/dashboard/guilds/g/people/7', { guildId: 'g', page: 'person', id: '7' }],
  ['/dashboard/guilds/g/me', { guildId: 'g', page: 'me', id: '' }],
  ['/dashboard/guilds/g/me/7', undefined],
  ['/dashboard/guilds/g/keys/7', undefined],
  ['/dashboard/guilds/g/constructor', undefined],
  ['/dashboard/guilds/%E0%A4%A/ledger', { guildId: '%E0%A4%A', page: 'ledger', id: '' }],
  ['/dashboard/', undefined],
  ['/dashboard/commands', undefined],
])('%s leads to the page whose code and data are loaded first', (path, place) => {
  expect(guildPlaceOf(path)).toEqual(place);
});
