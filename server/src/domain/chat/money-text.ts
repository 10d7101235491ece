import { createCache } from '../cache.ts';
import { decimalText, sumText } from '../ledger/amount.ts';
import type { Guild } from '../model.ts';

/** Platforms have some thirty languages. */
const FORMATS_MAX = 200;
const PLACES_MAX = 4;

/** Making a format takes longer than the rest of a command. */
const formats = createCache<Intl.NumberFormat>(FORMATS_MAX);

/** Formatted numbers. The cache holds at most two generations of this size, about two megabytes. */
const TEXTS_MAX = 5_000;

/** Formatting a number takes ten times as long as finding it here. Ranks, counts and balances of the same people are asked for again. */
const texts = createCache<string>(TEXTS_MAX);

/** How a guild's amounts are shown. */
export type MoneyDisplay = Pick<Guild, 'currencyName' | 'currencySymbol' | 'decimalsShown'>;

/** An exact amount in the reader's language, with the guild's currency. */
export function moneyText(
  units: number | bigint,
  { currencyName, currencySymbol, decimalsShown }: MoneyDisplay,
  locale: string,
): string {
  const decimal = typeof units === 'bigint' ? sumText(units) : decimalText(units);
  const hasPlaces = decimal.includes('.');
  const placesMin = decimalsShown ?? (hasPlaces ? 2 : 0);
  // A text of digits is formatted exactly; the type of the library lists numbers only.
  const amount = numberText(decimal as `${number}`, locale, placesMin);
  if (currencySymbol !== undefined) {
    return `${currencySymbol}${amount}`;
  }
  return currencyName === undefined ? amount : `${amount} ${currencyName}`;
}

const LONG_SYMBOL_FROM = 3;

/** True for a symbol that stands before the sign, so that sign and digits stay together. The dashboard has the same rule. */
export function hasLongSymbol({ currencySymbol = '' }: MoneyDisplay): boolean {
  return [...currencySymbol].length >= LONG_SYMBOL_FROM;
}

/** The same with a plus sign for deposits. */
export function changeText(units: number, guild: MoneyDisplay, locale: string): string {
  if (units > 0 && hasLongSymbol(guild)) {
    return `${guild.currencySymbol}+${moneyText(units, { ...guild, currencySymbol: undefined, currencyName: undefined }, locale)}`;
  }
  return `${units > 0 ? '+' : ''}${moneyText(units, guild, locale)}`;
}

export function countText(count: number, locale: string): string {
  return numberText(`${count}`, locale, 0);
}

function numberText(number: `${number}`, locale: string, placesMin: number): string {
  const key = `${number} ${placesMin} ${locale}`;
  const known = texts.get(key);
  if (known !== undefined) {
    return known;
  }
  const text = formatOf(locale, placesMin).format(number);
  texts.set(key, text);
  return text;
}

function formatOf(locale: string, placesMin: number): Intl.NumberFormat {
  const key = `${locale} ${placesMin}`;
  const known = formats.get(key);
  if (known !== undefined) {
    return known;
  }
  const places = { minimumFractionDigits: placesMin, maximumFractionDigits: PLACES_MAX };
  const made = new Intl.NumberFormat(supported(locale), places);
  formats.set(key, made);
  return made;
}

/** A platform may send a tag that is none. */
function supported(locale: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
