import { expect, test } from 'vitest';
import { changeText } from '../../src/domain/chat/money-text.ts';
import { layoutOf, leadersHtml, unbroken } from '../../src/http/board/board-parts.ts';
import { formatChange, formatMoney } from '../../src/http/board/board-texts.ts';

const digits = (text: string) => `<span class="digits">${text}</span>`;

test.each([
  ['\u20681,234,567.5\u2069', `${digits('\u20681,234,567.5')}\u2069`],
  // A sign stays with its number.
  ['−\u20681 234,50\u2069', `${digits('−\u20681 234,50')}\u2069`],
  ['+\u2068WWWWWWWW12,345,822,281.0000\u2069', `+\u2068WWWWWWWW<wbr>${digits('12,345,822,281.0000')}\u2069`],
  ['\u2068WWWWWWWW−12,345.5\u2069', `\u2068WWWWWWWW<wbr>${digits('−12,345.5')}\u2069`],
  ['\u20681,250 Crowns of 1066\u2069', `${digits('\u20681,250')} Crowns of 1066\u2069`],
  ['\u2068<7>1,250\u2069', `\u2068&#60;7&#62;<wbr>${digits('1,250')}\u2069`],
  ['none', 'none'],
])('an amount of the board may break beside its number, never inside: %s', (amount, html) => {
  expect(unbroken(amount)).toBe(html);
});

test('the sign stands before a short symbol and after a long one', () => {
  const texts = (currencySymbol?: string) => {
    const guild = {
      currencyName: undefined,
      currencySymbol,
      decimalsShown: undefined,
      language: 'en',
    } as const;
    const shown = [
      formatMoney(-125_000, guild),
      formatChange(125_000n, guild),
      formatChange(-125_000, guild),
    ];
    return [...shown.map((text) => text.replaceAll(/[\u2068\u2069]/g, '')), changeText(125_000, guild, 'en')];
  };
  expect(texts()).toEqual(['−12.50', '+12.50', '−12.50', '+12.50']);
  expect(texts('$')).toEqual(['−$12.50', '+$12.50', '−$12.50', '+$12.50']);
  expect(texts('DBL')).toEqual(['DBL−12.50', 'DBL+12.50', 'DBL−12.50', 'DBL+12.50']);
});

test('one long amount puts the amounts of all rows below their names', () => {
  expect(layoutOf('moves', ['+522', '−594'])).toBe('class="moves"');
  expect(layoutOf('moves', ['+522', '+WWWWWWWW123,456,789.9999'])).toBe('class="moves stacked"');
});

test('every leader who shares the first place is marked as first', () => {
  const leaders = [1, 1, 3].map((place) => ({ place, player: 'anselm', balanceUnits: 10_000 }));
  const html = leadersHtml(leaders, { language: 'en' } as Parameters<typeof leadersHtml>[1]);
  expect(html.match(/class="place[^"]*"/g)).toEqual([
    'class="place first"',
    'class="place first"',
    'class="place"',
  ]);
});
