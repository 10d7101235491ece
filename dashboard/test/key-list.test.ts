import { describe, expect, test } from 'vitest';
import type { ApiKey } from '../src/api/keys.ts';
import { isSameName, pageOfKeys, searchKeys, sortKeys } from '../src/keys/key-list.ts';

const keyOf = (id: string, facts: Partial<ApiKey> = {}): ApiKey => ({
  id,
  name: id,
  prefix: `gbk_${id}`,
  scopes: ['guild:read'],
  creator: { name: 'Mira', detail: '' },
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-12-01T00:00:00.000Z',
  lastUsedAt: null,
  state: 'active',
  note: null,
  networks: [],
  limits: { amountMax: null, withdrawnPerDayMax: null },
  routeLimits: [],
  formerUntil: null,
  keepsAllUntil: null,
  ...facts,
});

const idsOf = (keys: ApiKey[]) => keys.map(({ id }) => id);

describe('searching keys', () => {
  const keys = [keyOf('a', { name: 'Payout Bot' }), keyOf('b', { state: 'expired', scopes: ['users:read'] })];

  test.each([
    ['payout', ['a']],
    ['BOT pay', ['a']],
    ['gbk_b', ['b']],
    ['users:read', ['b']],
    ['expired', ['b']],
    ['mira', ['a', 'b']],
    ['  ', ['a', 'b']],
    ['nothing', []],
  ])('%j finds %j', (search, ids) => {
    expect(idsOf(searchKeys(keys, search))).toEqual(ids);
  });
});

describe('sorting keys', () => {
  test('numbers in names count as numbers', () => {
    const keys = [keyOf('1', { name: 'bot 10' }), keyOf('2', { name: 'bot 9' })];
    expect(idsOf(sortKeys(keys, { sortBy: 'name', isDescending: false }))).toEqual(['2', '1']);
  });

  test('a key that was never used comes after all others when the last used come first', () => {
    const keys = [keyOf('never'), keyOf('used', { lastUsedAt: '2026-02-01T00:00:00.000Z' })];
    expect(idsOf(sortKeys(keys, { sortBy: 'lastUsed', isDescending: true }))).toEqual(['used', 'never']);
  });

  test('equal keys keep one order, so that a refresh moves nothing', () => {
    const order = { sortBy: 'created', isDescending: true } as const;
    expect(idsOf(sortKeys([keyOf('b'), keyOf('a')], order))).toEqual(
      idsOf(sortKeys([keyOf('a'), keyOf('b')], order)),
    );
  });
});

describe('pages of keys', () => {
  const keys = Array.from({ length: 51 }, (_, index) => keyOf(String(index)));

  test('the last page holds the rest', () => {
    expect(pageOfKeys(keys, 3, 25)).toMatchObject({ page: 3, pageCount: 3, keys: [{ id: '50' }] });
  });

  test('a page past the end becomes the last one', () => {
    expect(pageOfKeys(keys.slice(0, 50), 3, 25)).toMatchObject({ page: 2, pageCount: 2 });
    expect(pageOfKeys([], 3, 25)).toMatchObject({ page: 1, pageCount: 1, keys: [] });
  });
});

describe('typing a name to confirm', () => {
  test.each([
    ['Payout bot', 'Payout bot', true],
    [' Payout bot ', 'Payout bot', true],
    ['Caf\u0065\u0301', 'Caf\u00e9', true],
    ['payout bot', 'Payout bot', false],
    ['', 'x', false],
  ])('%j for %j: %j', (typed, name, isSame) => {
    expect(isSameName(typed, name)).toBe(isSame);
  });
});
