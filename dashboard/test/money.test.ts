import { describe, expect, test } from 'vitest';
import {
  addMoney,
  breakMoney,
  formatMoney,
  formatRounded,
  formatSigned,
  groupCount,
  moneyText,
  parseMoney,
  shownPlaces,
  signOf,
  withMoneyDisplay,
} from '../src/components/money.ts';

describe('money as people read it', () => {
  test.each([
    ['0', '0'],
    ['12.5', '12.5'],
    ['12.5000', '12.5'],
    ['-1234.0001', '−1,234.0001'],
    ['1234567890123.4567', '1,234,567,890,123.4567'],
    ['123456789012345678901234.0009', '123,456,789,012,345,678,901,234.0009'],
    ['-0.5', '−0.5'],
    ['not a sum', 'not a sum'],
  ])('%s is %s', (text, shown) => {
    expect(formatMoney(text)).toBe(shown);
  });

  test('a sign stands on both directions, and none on nothing', () => {
    expect(['5', '-5', '0'].map(formatSigned)).toEqual(['+5', '−5', '0']);
    expect(['0.0001', '-0.0001', '0.0'].map(signOf)).toEqual([1, -1, 0]);
  });

  test.each([
    ['69128.7312', '69,129'],
    ['-69128.5', '−69,129'],
    ['69128.4999', '69,128'],
    ['999.994', '999.99'],
    ['999.9951', '1,000'],
    ['0.0049', '0'],
    ['-12.505', '−12.51'],
    ['123456789012345678901234.5', '123,456,789,012,345,678,901,235'],
    ['not a sum', 'not a sum'],
  ])('%s is %s in a headline', (text, rounded) => {
    expect(formatRounded(text)).toBe(rounded);
  });

  test('a rounded sum has no decimals behind it, and is rounded like the others of its line', () => {
    const display = { currencyName: null, currencySymbol: null, decimalsShown: 4 };
    const shown = withMoneyDisplay(display, () =>
      ['1234.5678', '1234', '12.345'].map((sum) => formatRounded(sum)),
    );
    expect(shown).toEqual(['1,235', '1,234.0000', '12.35']);
    const two = { ...display, decimalsShown: 2 };
    expect(withMoneyDisplay(two, () => formatRounded('12.301'))).toBe('12.30');
    expect(withMoneyDisplay(two, () => formatRounded('1234', { beside: ['1000.6'] }))).toBe('1,234');
    expect(formatRounded('858.49', { isSigned: true, beside: ['5043.6', '4185.11'] })).toBe('+858');
    expect(formatRounded('858.49', { beside: ['999'] })).toBe('858.49');
  });

  test('the currency’s symbol stands before every amount, or else its name behind it', () => {
    const shown = (display: { currencyName?: string; currencySymbol?: string }) =>
      withMoneyDisplay({ currencyName: null, currencySymbol: null, decimalsShown: null, ...display }, () => [
        formatMoney('-12.5'),
        formatSigned('1'),
        formatMoney('no sum'),
      ]);
    expect(shown({ currencyName: 'gold' })).toEqual(['−12.5 gold', '+1 gold', 'no sum']);
    expect(shown({ currencyName: 'gold', currencySymbol: '$' })).toEqual(['−$12.5', '+$1', 'no sum']);
    expect(shown({ currencySymbol: 'DBL' })).toEqual(['DBL−12.5', 'DBL+1', 'no sum']);
    expect(shown({ currencyName: 'ذهب' })[0]).toBe('−12.5 \u2068ذهب\u2069');
  });

  test('decimals that the guild always shows need no space of their own', () => {
    const display = { currencyName: null, currencySymbol: null, decimalsShown: 2 };
    expect(withMoneyDisplay(display, () => ['1', '1.5', '1.125'].map(shownPlaces))).toEqual([2, 2, 3]);
    expect(['1', '1.5'].map(shownPlaces)).toEqual([0, 1]);
  });

  test('only a long sum may break, and only after a long symbol', () => {
    expect(breakMoney('+1,234,567.0625')).toEqual(['+1,234,567.0625']);
    expect(breakMoney('−$1,234,567,890.05')).toEqual(['−$1,234,567,890.05']);
    expect(breakMoney('DOUBLOON+1,234,567.0625')).toEqual(['DOUBLOON', '+1,234,567.0625']);
    expect(breakMoney('DBL−1,234.05')).toEqual(['DBL', '−1,234.05']);
    expect(breakMoney('DBL−1,234.5')).toEqual(['DBL−1,234.5']);
    expect(breakMoney('DOUBLOON1,234,567.0625')).toEqual(['DOUBLOON', '1,234,567.0625']);
    expect(breakMoney('1.234.567.890,0625')).toEqual(['1.234.567.890,0625']);
  });

  test('counts are grouped', () => {
    expect(groupCount(1_234_567)).toBe('1,234,567');
  });
});

describe('exact sums', () => {
  test('no digit is lost where a floating-point number would lose it', () => {
    expect(addMoney('900719925474099.1234', '0.0001')).toBe('900719925474099.1235');
    expect(addMoney('0.1', '0.2')).toBe('0.3');
    expect(addMoney('1', '-1.0001')).toBe('-0.0001');
  });

  test.each(['', '1.', '.5', '1.00001', '1e3', '1,5', ' 1', '--1'])('%j is no sum', (text) => {
    expect(parseMoney(text)).toBeUndefined();
  });

  test.each(['0', '-12.5', '0.0001', '99999999999999999999.9999'])('%s reads and writes back', (text) => {
    expect(moneyText(parseMoney(text) ?? 0n)).toBe(text);
  });
});
