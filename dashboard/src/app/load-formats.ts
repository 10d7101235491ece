import { dateLanguage, language } from '../texts/languages.ts';

/**
 * Makes one formatter of each kind that the first pages use, so that the browser loads the data of the language before a page is
 * rendered. On a slow machine the first formatter of a kind takes ten to forty milliseconds, and the others hardly any time.
 */
export function loadFormats(): void {
  const zone = new Intl.DateTimeFormat(dateLanguage).resolvedOptions().timeZone;
  for (const timeZone of new Set(['UTC', zone])) {
    new Intl.DateTimeFormat(dateLanguage, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(0);
  }
  new Intl.NumberFormat(language, { notation: 'compact' }).format(1_234);
  new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-1, 'day');
  new Intl.PluralRules(language).select(1);
  new Intl.ListFormat(language).format(['a', 'b']);
  new Intl.Segmenter(language, { granularity: 'grapheme' }).segment('a')[Symbol.iterator]().next();
}
