import { describe, expect, test } from 'vitest';
import type { Person } from '../src/api/people.ts';
import { accountTimeline } from '../src/verifications/account-timeline.ts';
import {
  isMatch,
  lookupFault,
  lookupQuery,
  matchInWords,
  parseLookup,
} from '../src/verifications/person-query.ts';

const facts = { balance: '1', transactions: 1, discharges: 0, transfers: 0 };
const person: Person = {
  chatId: '4711',
  playerId: '100',
  username: 'Osric',
  pastUsers: [
    { playerId: '100', username: 'Marsh' },
    { playerId: '90', username: 'Carver' },
  ],
  accounts: [
    { playerId: '100', username: 'Osric', isCurrent: true, ...facts },
    { playerId: '90', username: 'Carver', isCurrent: false, ...facts },
  ],
};

describe('a look-up', () => {
  test.each([
    ['4711', 'any', '4711'],
    ['chat:4711', 'chat', '4711'],
    ['player: 100 ', 'player', '100'],
    ['name:a:b', 'name', 'a:b'],
    ['guild:1', 'any', 'guild:1'],
  ])('%j looks for %s %j', (query, kind, text) => {
    expect(parseLookup(query)).toEqual({ kind, text });
  });

  test('reads back from the address as it was asked', () => {
    for (const query of ['4711', 'chat:4711', 'player:100', 'name:Osric']) {
      expect(lookupQuery(parseLookup(query))).toBe(query);
    }
    expect(lookupQuery({ kind: 'chat', text: '  ' })).toBe('');
  });

  test('what cannot be asked is named', () => {
    expect(lookupFault({ kind: 'any', text: ' ' })).toBe('Type an id or a name');
    expect(lookupFault({ kind: 'any', text: 'x'.repeat(257) })).toContain('257');
    expect(lookupFault({ kind: 'any', text: '🏰'.repeat(256) })).toBeUndefined();
  });
});

test.each([
  ['4711', 'Found by the chat id'],
  ['100', 'Found by the player id'],
  ['oSRIC', 'Found by the user name'],
  ['marsh', 'Found by a past account'],
  ['player:90', 'Found by a past account'],
])('%j: %s', (query, words) => {
  expect(matchInWords(person, query)).toBe(words);
});

test('the past account that was found is marked, and no other', () => {
  const marked = (query: string) => person.pastUsers.filter((account) => isMatch(account, query));
  expect(marked('carver')).toEqual([person.pastUsers[1]]);
  expect(marked('player:carver')).toEqual([]);
  expect(marked('chat:90')).toEqual([]);
});

test('an account that was renamed shows its figures once', () => {
  const timeline = accountTimeline(person);
  expect(timeline.map(({ username, isCurrent }) => [username, isCurrent])).toEqual([
    ['Osric', true],
    ['Marsh', false],
    ['Carver', false],
  ]);
  expect(timeline.map((account) => account.facts?.playerId)).toEqual(['100', undefined, '90']);
});
