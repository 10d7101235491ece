import { expect, test } from 'vitest';
import { refusalJumps } from '../../src/domain/access/refusal-jumps.ts';

const count = (keyId: string, recent: number, before: number, code = 'missing_scope') => ({
  keyId,
  code,
  recent,
  before,
});

test('a key is named when its refusals are many and three times the usual ones of a day', () => {
  expect(refusalJumps([count('few', 9, 0)])).toEqual([]);
  expect(refusalJumps([count('usual', 29, 70)])).toEqual([]);
  expect(refusalJumps([count('more', 30, 70)])).toEqual([
    { keyId: 'more', refused: 30, usual: 10, code: 'missing_scope' },
  ]);
});

test('refusals of all codes add up, the most frequent one is named, and the worst key comes first', () => {
  const counts = [
    count('one', 4, 0),
    count('one', 6, 7, 'rate_limited'),
    count('two', 12, 0),
    count('quiet', 0, 100),
  ];
  expect(refusalJumps(counts)).toEqual([
    { keyId: 'two', refused: 12, usual: 0, code: 'missing_scope' },
    { keyId: 'one', refused: 10, usual: 1, code: 'rate_limited' },
  ]);
});
