import { expect, test } from 'vitest';
import { canChange, isAbout } from '../src/access/use-live-guild.ts';
import { lastChangesQuery } from '../src/api/audit.ts';
import { guildsQuery } from '../src/api/guilds.ts';
import { keysQuery } from '../src/api/keys.ts';
import { profileQuery } from '../src/api/members.ts';
import { overviewQuery } from '../src/api/overview.ts';
import { playerQuery } from '../src/api/players.ts';
import { recordQuery } from '../src/api/records.ts';
import { sessionQuery } from '../src/api/session.ts';

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

test('other changes concern the guilds, and all of this guild but its money', () => {
  const concerned = [
    guildsQuery.queryKey,
    keysQuery('g').queryKey,
    profileQuery('g', '1').queryKey,
    recordQuery('g', 'discharges', '1').queryKey,
    lastChangesQuery('g').queryKey,
  ];
  expect(concerned.filter((queryKey) => !canChange(queryKey, 'g'))).toEqual([]);
  const others = [
    sessionQuery.queryKey,
    keysQuery('h').queryKey,
    playerQuery('g', '1').queryKey,
    overviewQuery('g', { since: '', until: '' }).queryKey,
  ];
  expect(others.filter((queryKey) => canChange(queryKey, 'g'))).toEqual([]);
});
