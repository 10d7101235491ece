import { expect, test } from 'vitest';
import { guildPlaceOf, isAt } from '../src/app/guild-place.ts';

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

test.each([
  ['/guilds/g', '/guilds/g', true, true],
  ['/guilds/g/', '/guilds/g', true, true],
  ['/guilds/g/ledger', '/guilds/g', true, false],
  ['/guilds/g/people/7', '/guilds/g/people', false, true],
  ['/guilds/g/People/', '/guilds/g/people', false, true],
  ['/guilds/g/peoples', '/guilds/g/people', false, false],
  ['/', '/', true, true],
  ['/commands', '/', true, false],
])(
  'a link in the navigation on %s to %s, exact: %s, is that of the open page: %s',
  (path, address, isExact, isOpen) => {
    expect(isAt(path, address, isExact)).toBe(isOpen);
  },
);
