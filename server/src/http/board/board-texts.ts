import type { BoardFacts } from '../../domain/board/read-board.ts';
import { createCache } from '../../domain/cache.ts';
import { countText, type MoneyDisplay, moneyText } from '../../domain/chat/money-text.ts';
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

/** The sign stands before the symbol of the currency. The amount is isolated, so that a name in another direction does not move the sign. */
export function formatMoney(units: number | bigint, guild: MoneyDisplay & Spoken): string {
  const isBelowZero = units < 0;
  const size = typeof units === 'bigint' ? (isBelowZero ? -units : units) : Math.abs(units);
  return `${isBelowZero ? '−' : ''}\u2068${moneyText(size, guild, languageOf(guild))}\u2069`;
}

/** The same with a sign for deposits too. */
export function formatChange(units: number | bigint, guild: MoneyDisplay & Spoken): string {
  return `${units > 0 ? '+' : ''}${formatMoney(units, guild)}`;
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
