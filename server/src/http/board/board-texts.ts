import type { BoardFacts } from '../../domain/board/read-board.ts';
import { createCache } from '../../domain/cache.ts';
import { countText, hasLongSymbol, type MoneyDisplay, moneyText } from '../../domain/chat/money-text.ts';
import { type Language, USUAL_LANGUAGE } from '../../texts/language.ts';
import type { BoardTexts } from '../../texts/texts.ts';
import { textsOf } from '../../texts/texts-of.ts';

/** The guild of a board, or nothing for pages that belong to no guild. */
type Spoken = Partial<Pick<BoardFacts['guild'], 'language'>>;

export function languageOf({ language }: Spoken): Language {
  return language ?? USUAL_LANGUAGE;
}

export function boardTexts({ language }: Spoken): BoardTexts {
  return textsOf({ language }).board;
}

export function formatCount(count: number, guild: Spoken): string {
  return countText(count, languageOf(guild));
}

/** A short symbol of the currency stands behind the sign, a long one before it. */
export function formatMoney(units: number | bigint, guild: MoneyDisplay & Spoken): string {
  return withSign(units, guild, '');
}

/** The same with a sign for deposits too. */
export function formatChange(units: number | bigint, guild: MoneyDisplay & Spoken): string {
  return withSign(units, guild, units > 0 ? '+' : '');
}

/** The amount is isolated, so that a name in another direction does not move the sign. */
function withSign(units: number | bigint, guild: MoneyDisplay & Spoken, plus: string): string {
  const sign = units < 0 ? '−' : plus;
  const size = typeof units === 'bigint' ? (units < 0 ? -units : units) : Math.abs(units);
  if (!hasLongSymbol(guild)) {
    return `${sign}\u2068${moneyText(size, guild, languageOf(guild))}\u2069`;
  }
  const bare = { ...guild, currencySymbol: undefined, currencyName: undefined };
  return `\u2068${guild.currencySymbol}${sign}${moneyText(size, bare, languageOf(guild))}\u2069`;
}

const DAY_MS = 86_400_000;
const DAY = { month: 'short', day: 'numeric' } as const;
const MOMENT = {
  ...DAY,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;
/** Making a format takes longer than the rest of a page. There are some hundred time zones. */
const formats = createCache<Intl.DateTimeFormat>(500);

/** A day of the chart, such as "3 Nov". */
export function formatDay(day: number, guild: Spoken): string {
  return formatOf(languageOf(guild), 'UTC', DAY).format(day * DAY_MS);
}

/** A moment in the guild's time zone, such as "3 Nov, 14:05 UTC". */
export function formatMoment(
  atMs: number,
  { timeZone = 'UTC', ...guild }: Pick<BoardFacts['guild'], 'timeZone' | 'language'>,
): string {
  return formatOf(languageOf(guild), timeZone, MOMENT).format(atMs);
}

function formatOf(
  language: Language,
  timeZone: string,
  parts: typeof DAY | typeof MOMENT,
): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${parts === MOMENT}`;
  let format = formats.get(key);
  if (format === undefined) {
    // English dates have the order of the dashboard's.
    format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...parts, timeZone });
    formats.set(key, format);
  }
  return format;
}
