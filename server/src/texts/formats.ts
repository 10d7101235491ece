import type { Language } from './language.ts';

/** Numbers and dates of channel messages. Times are in UTC. */
export interface Formats {
  /** An exact decimal, such as `-1234.5`. */
  amount(decimal: string): string;
  count(count: number): string;
  day(atMs: number): string;
  minute(atMs: number): string;
}

/**
 * The plural forms that a language has for whole numbers; `#` stands for the number. `many` is for millions in French, Spanish and
 * Portuguese. A language with other forms gets a line here, with the names of `Intl.PluralRules`.
 */
export type PluralForms<Of extends Language> = Of extends 'ja'
  ? { other: string }
  : Of extends 'en' | 'de'
    ? { one: string; other: string }
    : { one: string; many: string; other: string };

const PLACES_MAX = 4;

/** Chooses the form of a text for a number, and writes the number into it. */
export function pluralsOf<Of extends Language>(
  language: Of,
): (count: number, forms: PluralForms<Of>) => string {
  const choose = lazily(() => new Intl.PluralRules(language));
  const numbers = lazily(() => new Intl.NumberFormat(language));
  return (count, forms) => {
    const all: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string } = forms;
    const form = all[choose().select(count)] ?? all.other;
    return form.replaceAll('#', numbers().format(count));
  };
}

/** The formats of a language. English messages have amounts and times as the interface writes them. */
export function formatsOf(language: Exclude<Language, 'en'>): Formats {
  const numbers = lazily(() => new Intl.NumberFormat(language, { maximumFractionDigits: PLACES_MAX }));
  const days = lazily(() => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }));
  const minutes = lazily(
    () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  );
  return {
    // A text of digits is formatted exactly; the type of the library lists numbers only.
    amount: (decimal) => numbers().format(decimal as `${number}`),
    count: (count) => numbers().format(count),
    day: (atMs) => days().format(atMs),
    minute: (atMs) => `${minutes().format(atMs)} UTC`,
  };
}

/** Making a format takes long, and most languages are never used. */
function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
