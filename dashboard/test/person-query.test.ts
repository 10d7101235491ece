import { describe, expect, test } from 'vitest';
import type { Person } from '../src/api/people.ts';
import { accountTimeline } from '../src/people/account-timeline.ts';
import { matchInWords, parseLookup } from '../src/people/person-query.ts';
import { readView, viewSearch } from '../src/people/person-tabs.ts';

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

test('an account that was renamed shows its figures once', () => {
  const timeline = accountTimeline(person);
  expect(timeline.map(({ username, isCurrent }) => [username, isCurrent])).toEqual([
    ['Osric', true],
    ['Marsh', false],
    ['Carver', false],
  ]);
  expect(timeline.map((account) => account.facts?.playerId)).toEqual(['100', undefined, '90']);
});

test('the tab of a person is in the address; an unknown one is the account', () => {
  expect(['', '?tab=records', '?tab=statement', '?tab=colour'].map(readView)).toEqual([
    'account',
    'records',
    'statement',
    'account',
  ]);
});

test('another tab keeps the range of time and nothing else', () => {
  const search = '?tab=records&range=30d&page=2&record=x';
  expect(viewSearch(search, 'history')).toBe('range=30d&tab=history');
  expect(viewSearch(search, 'account')).toBe('range=30d');
});
