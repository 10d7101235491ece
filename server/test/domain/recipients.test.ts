import { expect, test } from 'vitest';
import type { NamedPlayer } from '../../src/domain/people/member-store.ts';
import { matchTexts } from '../../src/domain/people/recipients.ts';

function player(playerId: string, about: Partial<NamedPlayer> = {}): NamedPlayer {
  return { playerId, chatId: undefined, username: undefined, recordNames: [], isMember: true, ...about };
}

const rowan = player('1', { chatId: '11', username: 'Rowan' });
const wren = player('2', { recordNames: ['Wren'] });
const otherWren = player('3', { username: 'wren' });
const stranger = player('4', { chatId: '44', username: 'Rhea', isMember: false });
const far = player('5', { chatId: '55', username: 'ROWAN', isMember: false });
const numbered = player('6', { username: '2' });
const players = [rowan, wren, otherWren, stranger, far, numbered];

const idsOf = (texts: string[], withStrangers: boolean) =>
  matchTexts(texts, players, { withStrangers }).map((found) => found.map(({ playerId }) => playerId));

test('a text names a player by id, chat id or name in any case', () => {
  expect(idsOf(['1', '11', 'rOWAN', '3'], true)).toEqual([['1'], ['1'], ['1'], ['3']]);
});

test('a name that several players have names all of them, and so does a name that is an id', () => {
  expect(idsOf(['Wren', '2'], true)).toEqual([
    ['2', '3'],
    ['2', '6'],
  ]);
});

test('people whom only other guilds know are found with a plan, after those of the guild', () => {
  expect(idsOf(['Rhea', '44', 'Rowan'], true)).toEqual([['4'], ['4'], ['1']]);
  expect(idsOf(['Rhea', '44', 'Rowan'], false)).toEqual([[], [], ['1']]);
});

test('ids are compared exactly', () => {
  expect(matchTexts(['ab'], [player('AB')], { withStrangers: true })).toEqual([[]]);
});
