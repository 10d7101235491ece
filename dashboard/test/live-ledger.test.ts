import { expect, test } from 'vitest';
import { isAbout } from '../src/access/use-live-ledger.ts';
import { keysQuery } from '../src/api/keys.ts';
import { overviewQuery } from '../src/api/overview.ts';
import { playerQuery } from '../src/api/players.ts';

test('news of a player concern the overview, the lists and this player, of this guild alone', () => {
  const concerns = (queryKey: readonly unknown[], players: string[] | null = ['1']) =>
    isAbout(queryKey, 'g', players && new Set(players));
  expect(concerns(overviewQuery('g', { since: '', until: '' }).queryKey)).toBe(true);
  expect(concerns(overviewQuery('h', { since: '', until: '' }).queryKey)).toBe(false);
  expect(concerns(playerQuery('g', '1').queryKey)).toBe(true);
  expect(concerns(playerQuery('g', '2').queryKey)).toBe(false);
  expect(concerns(playerQuery('g', '2').queryKey, null)).toBe(true);
  expect(concerns(keysQuery('g').queryKey)).toBe(false);
});
