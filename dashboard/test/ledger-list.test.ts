import { describe, expect, test } from 'vitest';
import { resolveRange } from '../src/components/date-range.ts';
import { chipsOf } from '../src/ledger/filter-chips.ts';
import { countText } from '../src/ledger/ledger-count.ts';

const none = { from: '', minAmount: '', maxAmount: '' };
const rangeOf = (range: '7d' | 'all') =>
  resolveRange({ range, since: '', until: '' }, { nowMs: Date.UTC(2027, 0, 31), usual: 'all', zone: 'UTC' });

describe('the chips of active filters', () => {
  test('name each filter, and there are none without filters', () => {
    expect(chipsOf({ filters: none, search: '', range: rangeOf('all') })).toEqual([]);
    const filters = { from: 'shop', minAmount: '1000', maxAmount: '2000.5' };
    const texts = chipsOf({ filters, search: 'iron', range: rangeOf('7d') }).map(
      ({ label, value }) => `${label}: ${value}`,
    );
    expect(texts).toEqual([
      'Date range: Last 7 days',
      'Search: iron',
      'Source: shop',
      'Amount from: 1,000',
      'Amount up to: 2,000.5',
    ]);
  });

  test.each([
    { ...none, minAmount: '0' },
    { ...none, maxAmount: '0' },
    { ...none, minAmount: '5' },
    { ...none, maxAmount: '5' },
    { ...none, from: 'shop' },
    { from: 'shop', minAmount: '5', maxAmount: '9' },
  ])('each removes its own filter, so that %j has none left after all of them', (filters) => {
    let left = { ...filters };
    for (let steps = chipsOf({ filters: left, search: '' }).length; steps > 0; steps -= 1) {
      const [first] = chipsOf({ filters: left, search: '' });
      left = { ...left, ...first?.without };
      expect(chipsOf({ filters: left, search: '' })).toHaveLength(steps - 1);
    }
    expect(left).toMatchObject(none);
  });
});

describe('the number of transactions', () => {
  const sums = {
    depositCount: 1_000,
    withdrawalCount: 147,
    deposits: '1',
    withdrawals: '1',
    net: '0',
    searchedTo: null,
  };
  const partial = { ...sums, searchedTo: '2027-01-01T00:00:00.000Z' };
  test.each([
    [{ sums: undefined, total: undefined, isNarrowed: false }, 'Transactions'],
    [{ sums: undefined, total: null, isNarrowed: true }, 'Matching transactions'],
    [{ sums: undefined, total: 1, isNarrowed: false }, '1 transaction'],
    [{ sums, total: null, isNarrowed: true }, '1,147 transactions found'],
    [{ sums: partial, total: null, isNarrowed: true }, 'At least 1,147 transactions found'],
    [{ sums: partial, total: 2_000, isNarrowed: true }, '2,000 transactions found'],
  ])('of %j is %s', (counted, text) => {
    expect(countText(counted)).toBe(text);
  });
});
