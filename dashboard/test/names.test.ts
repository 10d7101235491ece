import { expect, test } from 'vitest';
import { namesSearch } from '../src/api/names.ts';

test('the names of a page are asked for at once, each account once, at most a hundred of each kind', () => {
  expect(namesSearch({ playerIds: ['7', 'a,b', '7', ''], chatIds: ['c&d'] })).toBe(
    'playerIds=7,a%2Cb&chatIds=c%26d',
  );
  expect(namesSearch({ playerIds: [''] })).toBe('');
  const many = Array.from({ length: 150 }, (_, index) => String(index));
  expect(namesSearch({ chatIds: many }).split(',')).toHaveLength(100);
});
