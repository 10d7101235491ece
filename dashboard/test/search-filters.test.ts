import { describe, expect, test } from 'vitest';
import { nextOrdering } from '../src/components/ordering.ts';
import {
  choiceFilter,
  dayFilter,
  decimalFilter,
  readFilters,
  textFilter,
  wholeNumberFilter,
  writeFilters,
} from '../src/components/search-filters.ts';

const filters = {
  page: wholeNumberFilter({ usual: 1, min: 1, max: 1_000 }),
  from: textFilter(10),
  minAmount: decimalFilter(),
  sortOrder: choiceFilter(['asc', 'desc'], 'desc'),
  since: dayFilter(),
};
const usual = { page: 1, from: '', minAmount: '', sortOrder: 'desc', since: '' };

describe('filters in the address', () => {
  test('an address that says nothing gives the usual view', () => {
    expect(readFilters(filters, new URLSearchParams())).toEqual(usual);
  });

  test('what is written reads back', () => {
    const values = {
      page: 7,
      from: 'shop & co',
      minAmount: '0.0001',
      sortOrder: 'asc',
      since: '2024-02-29',
    } as const;
    const address = writeFilters(filters, new URLSearchParams(), values).toString();
    expect(readFilters(filters, new URLSearchParams(address))).toEqual(values);
  });

  test('the usual values stay out of the address, and what belongs to others stays in it', () => {
    const before = new URLSearchParams('page=3&from=shop&other=1');
    expect(writeFilters(filters, before, { page: 1, from: ' ' }).toString()).toBe('other=1');
  });

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e2',
    'page=1001',
    'page=99999999999999999999',
    'from=elevensigns',
    'minAmount=-1',
    'minAmount=1e3',
    'minAmount=0.00001',
    'minAmount=01',
    'minAmount=12345678901234',
    'sortOrder=up',
    'sortOrder=',
    'since=2026-02-29',
    'since=yesterday',
    'since=2026-13-01',
  ])('nonsense such as %s becomes the usual view', (address) => {
    expect(readFilters(filters, new URLSearchParams(address))).toEqual(usual);
  });
});

describe('the order after a click on a heading', () => {
  test('the largest first, then the smallest; names from A first', () => {
    const first = nextOrdering({ sortBy: 'name', isDescending: false }, { sortBy: 'total' });
    expect(first).toEqual({ sortBy: 'total', isDescending: true });
    expect(nextOrdering(first, { sortBy: 'total' })).toEqual({ sortBy: 'total', isDescending: false });
    expect(nextOrdering(first, { sortBy: 'name', isAscendingFirst: true })).toEqual({
      sortBy: 'name',
      isDescending: false,
    });
  });
});
