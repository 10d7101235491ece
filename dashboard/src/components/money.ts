import { language } from '../texts/languages.ts';
import { signsOf } from './typed-amount.ts';
// Balances and sums are decimal texts and may need more digits than a number holds. They are parsed into
// ten-thousandths, the ledger's own unit, as bigint, and never become floating-point numbers.

import { lazily } from './lazily.ts';

const unit = 10_000n;
const counts = lazily(() => new Intl.NumberFormat(language));
const decimalSign = lazily(() => signsOf(language).decimal);

/** "1234567" as "1,234,567", for counts. */
export function groupCount(count: number): string {
  return counts().format(count);
}

/** A decimal with at most four places in ten-thousandths; undefined for any other text. */
export function parseMoney(text: string): bigint | undefined {
  const match = /^([+-]?)(\d+)(?:\.(\d{1,4}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', places = ''] = match;
  const size = BigInt(whole) * unit + BigInt(places.padEnd(4, '0'));
  return sign === '-' ? -size : size;
}

/** The number of decimal places of a sum without trailing zeros: 1 for "12.50". */
export function placesOf(text: string): number {
  const value = parseMoney(text);
  return value === undefined ? 0 : (moneyText(value).split('.')[1]?.length ?? 0);
}

/** Ten-thousandths as the shortest decimal text: "-12.5". */
export function moneyText(value: bigint): string {
  const size = value < 0n ? -value : value;
  const places = String(size % unit)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${size / unit}${places === '' ? '' : `.${places}`}`;
}

/** The guild's display of amounts; null for the default. */
export interface MoneyDisplay {
  currencyName: string | null;
  currencySymbol: string | null;
  /** The minimum number of decimals: nothing is ever rounded. */
  decimalsShown: number | null;
}

// Set before the pages of a guild are rendered, and whenever its settings change, like the time zone.
let shown: MoneyDisplay = { currencyName: null, currencySymbol: null, decimalsShown: null };

export function chooseMoneyDisplay({ currencyName, currencySymbol, decimalsShown }: MoneyDisplay): void {
  shown = { currencyName, currencySymbol, decimalsShown };
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** The name of the currency behind an amount, with its space; '' when a symbol stands before it, or there is no name. */
export function unitOfMoney(): string {
  const { currencyName, currencySymbol } = shown;
  if (currencyName === null || currencySymbol !== null) return '';
  // Isolated, so that the minus sign stays before the number.
  return ` ${isolated(currencyName)}`;
}

/** Marks a text with right-to-left letters so that the text around it keeps its order. For places without elements. */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** Formats with another display than the page's, such as for a sample. */
export function withMoneyDisplay<Result>(display: MoneyDisplay, format: () => Result): Result {
  const before = shown;
  chooseMoneyDisplay(display);
  try {
    return format();
  } finally {
    shown = before;
  }
}

/** The number of decimals with which a sum is shown. */
export function shownPlaces(text: string): number {
  return Math.max(placesOf(text), shown.decimalsShown ?? 0);
}

const longFrom = 16;
/** The same for a sum with a long symbol, after which a line may break. */
const longWithSymbolFrom = 12;
/** A symbol of as many characters stands before the sign, so that sign and digits stay together where a narrow place breaks the sum. */
const longSymbolFrom = 3;
const afterLongSymbol = /(?<=^[^\d+−]{3,})(?=[+−]?\d)/u;

/** True for a sum that needs a line of its own, or a smaller font, in a narrow place. */
export function isLongMoney(text: string): boolean {
  return text.length >= (afterLongSymbol.test(text) ? longWithSymbolFrom : longFrom);
}

/** The long symbol and the digits of a long sum, between which a narrow place may break it. The digits stay together. */
export function breakMoney(text: string): string[] {
  return isLongMoney(text) ? text.split(afterLongSymbol) : [text];
}

/**
 * A sum for people: grouped, with a real minus sign and the guild's symbol, or else the name of its currency. A text that is no
 * decimal is returned unchanged.
 */
export function formatMoney(text: string): string {
  return parseMoney(text) === undefined ? text : `${bareMoney(text)}${unitOfMoney()}`;
}

/** The same without the name of the currency, for a column whose decimals are aligned. */
export function bareMoney(text: string): string {
  return textOf(text, { isSigned: false, places: shown.decimalsShown ?? 0 });
}

function textOf(
  text: string,
  { isSigned, places: placesMin }: { isSigned: boolean; places: number },
): string {
  const value = parseMoney(text);
  if (value === undefined) return text;
  const shortest = moneyText(value < 0n ? -value : value);
  const [whole = '', places = ''] = shortest.split('.');
  const decimals = places.padEnd(placesMin, '0');
  const digits = `${counts().format(BigInt(whole))}${decimals === '' ? '' : `${decimalSign()}${decimals}`}`;
  const plus = isSigned && value > 0n ? '+' : '';
  const sign = value < 0n ? '−' : plus;
  const symbol = shown.currencySymbol ?? '';
  return [...symbol].length < longSymbolFrom ? `${sign}${symbol}${digits}` : `${symbol}${sign}${digits}`;
}

/** The same with a plus sign on positive sums. */
export function formatSigned(text: string): string {
  return parseMoney(text) === undefined ? text : `${bareSigned(text)}${unitOfMoney()}`;
}

export function bareSigned(text: string): string {
  return textOf(text, { isSigned: true, places: shown.decimalsShown ?? 0 });
}

const placesMax = 4;
const roundedFrom = 1_000n * unit;
const cents = unit / 100n;

interface RoundedOptions {
  /** Adds a plus sign to positive sums. */
  isSigned?: boolean;
  /** Other sums of the same line, which are rounded alike. */
  beside?: readonly string[];
}

/**
 * A sum as a person reads it in a headline: without decimals from 1,000 on, otherwise with at most two. The exact sum
 * belongs beside it, see `RoundedMoney`.
 */
export function formatRounded(text: string, { isSigned = false, beside = [] }: RoundedOptions = {}): string {
  const line = [text, ...beside];
  const step = line.some(isLarge) ? unit : cents;
  const isExact = line.every((sum) => parseMoney(roundMoney(sum, step)) === parseMoney(sum));
  // More decimals would look like those of the exact sum.
  const places = Math.min(shown.decimalsShown ?? 0, isExact ? placesMax : step === unit ? 0 : 2);
  const rounded = textOf(roundMoney(text, step), { isSigned, places });
  return parseMoney(text) === undefined ? text : `${rounded}${unitOfMoney()}`;
}

function isLarge(text: string): boolean {
  const value = parseMoney(text) ?? 0n;
  return value >= roundedFrom || value <= -roundedFrom;
}

function roundMoney(text: string, step: bigint): string {
  const value = parseMoney(text);
  if (value === undefined) return text;
  const size = value < 0n ? -value : value;
  const rounded = ((size + step / 2n) / step) * step;
  return moneyText(value < 0n ? -rounded : rounded);
}

export function signOf(text: string): -1 | 0 | 1 {
  const value = parseMoney(text) ?? 0n;
  if (value === 0n) return 0;
  return value < 0n ? -1 : 1;
}

export function addMoney(one: string, other: string): string {
  return moneyText((parseMoney(one) ?? 0n) + (parseMoney(other) ?? 0n));
}

/** Only for lengths in a chart, never for shown figures. */
export function approximately(text: string): number {
  return Number(text);
}
