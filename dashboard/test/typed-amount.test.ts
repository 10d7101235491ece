import { describe, expect, test } from 'vitest';
import {
  fileSigns,
  plainAmount,
  signsOf,
  typedAmount,
  understoodAmount,
} from '../src/components/typed-amount.ts';

describe('a typed amount', () => {
  test.each([
    ['en', '1234.5', '1234.5'],
    ['en', '1,234.5', '1234.5'],
    ['en', '-1,234,567', '-1234567'],
    ['de', '12,5', '12.5'],
    ['de', '-0,0001', '-0.0001'],
    ['de', '1.234,5', '1234.5'],
    ['de', '1.234', '1234'],
    ['de', '12.5', '12.5'],
    ['de', '0.125', '0.125'],
    ['de', '1234.567', '1234.567'],
    ['de', ' 1.234.567,25 ', '1234567.25'],
    ['fr', '1 234,5', '1234.5'],
    ['fr', '1\u202f234,5', '1234.5'],
    ['fr', '12,5', '12.5'],
    ['es', '1.234,5', '1234.5'],
    ['pt-BR', '1.234,5', '1234.5'],
    ['ja', '1,234.5', '1234.5'],
  ])('in %s, “%s” is %s', (language, typed, plain) => {
    expect(plainAmount(typed, signsOf(language))).toBe(plain);
  });

  test.each([
    ['en', '12,5'],
    ['en', '1,23'],
    ['de', '1,234.5'],
    ['de', '1.23.456'],
    ['de', 'zwölf'],
    ['fr', '1 23'],
  ])('in %s, “%s” is none, and stays as it is', (language, typed) => {
    expect(plainAmount(typed, signsOf(language))).toBe(typed);
  });

  test('of a file is read in one way in every language', () => {
    expect(plainAmount('1.234', fileSigns)).toBe('1.234');
    expect(plainAmount('1,234.5', fileSigns)).toBe('1234.5');
  });

  test.each(['en', 'de', 'es', 'fr', 'ja', 'pt-BR'])(
    'that a form in %s begins with is read as it was',
    (language) => {
      const signs = signsOf(language);
      for (const plain of ['0', '-12.5', '1.234', '1234.5', '1000000']) {
        expect(plainAmount(typedAmount(plain, signs), signs)).toBe(plain);
      }
    },
  );
});

describe('what was understood', () => {
  test.each([
    ['de', '1.234', '1.234,00'],
    ['de', '1,234', '1,234'],
    ['de', '12.5', '12,50'],
    ['de', '9007199254740993,25', '9.007.199.254.740.993,25'],
    ['fr', '1 234,5', '1\u202f234,50'],
    ['de', '250', undefined],
    ['de', 'viel', undefined],
    ['de', '', undefined],
    ['en', '1,234.5', undefined],
    ['ja', '1,234.5', undefined],
  ])('in %s, of “%s” is %s', (language, typed, shown) => {
    expect(understoodAmount(typed, language)).toBe(shown);
  });
});
