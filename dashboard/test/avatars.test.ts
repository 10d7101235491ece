import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type Account,
  avatarAddress,
  createAvatarFinder,
  guildIconAddress,
  ownAvatarAddress,
} from '../src/api/avatars.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const rowan = { chatId: '901', playerId: 'rich', version: 'a1' };
const olga = { chatId: '101', playerId: null, version: 'b2' };

function createFinder(avatars = [rowan, olga]) {
  const asked: { guildId: string; accounts: Account[] }[] = [];
  const find = createAvatarFinder(async (guildId, accounts) => {
    asked.push({ guildId, accounts: accounts.map(({ kind, id }) => ({ kind, id })) });
    return avatars;
  });
  return { find, asked };
}

test('the names of a page are asked for together, and each gets its own picture', async () => {
  const { find, asked } = createFinder();
  const found = Promise.all([
    find('1', { kind: 'player', id: 'rich' }),
    find('1', { kind: 'chat', id: '101' }),
    find('1', { kind: 'player', id: '101' }),
    find('2', { kind: 'chat', id: '101' }),
  ]);
  await vi.runAllTimersAsync();
  expect(await found).toEqual([rowan, olga, null, olga]);
  expect(asked.map(({ guildId, accounts }) => [guildId, accounts.length])).toEqual([
    ['1', 3],
    ['2', 1],
  ]);
});

test('a long page needs a request for each hundred names', async () => {
  const { find, asked } = createFinder();
  const all = Array.from({ length: 205 }, (_, index) => find('1', { kind: 'player', id: `p${index}` }));
  await vi.runAllTimersAsync();
  expect(new Set(await Promise.all(all))).toEqual(new Set([null]));
  expect(asked.map(({ accounts }) => accounts.length)).toEqual([100, 100, 5]);
});

test('a failure is one of each name that was asked for, and the next page asks again', async () => {
  let fails = true;
  const find = createAvatarFinder(async () => {
    if (fails) throw new Error('no answer');
    return [rowan];
  });
  const first = Promise.allSettled([
    find('1', { kind: 'player', id: 'rich' }),
    find('1', { kind: 'chat', id: '5' }),
  ]);
  await vi.runAllTimersAsync();
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  const second = find('1', { kind: 'player', id: 'rich' });
  await vi.runAllTimersAsync();
  expect(await second).toEqual(rowan);
});

test('pictures have addresses of our own, with their version', () => {
  expect(avatarAddress('1/2', rowan)).toBe('/dashboard/api/guilds/1%2F2/avatars/901?v=a1');
  const guild = { guildId: '7', icon: 'i3', role: 'viewer' } as const;
  expect(guildIconAddress(guild)).toBe('/dashboard/api/guilds/7/icon?v=i3');
  expect(guildIconAddress({ ...guild, role: null })).toBe('/dashboard/api/guilds/7/me/icon?v=i3');
  expect(ownAvatarAddress('a&b')).toBe('/dashboard/api/session/avatar?v=a%26b');
  expect([guildIconAddress({ ...guild, icon: null }), ownAvatarAddress(null)]).toEqual([
    undefined,
    undefined,
  ]);
});
