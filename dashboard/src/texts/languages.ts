export { LANGUAGES as GUILD_LANGUAGES } from '../../../server/src/texts/language.ts';

/** The languages of the pages, each by its own name. English is the language of the source. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  'pt-BR': 'Português (Brasil)',
} as const;

export type Language = keyof typeof LANGUAGES;

/** The key of the chosen language in the browser's local storage. */
export const LANGUAGE_KEY = 'guildbook-language';

/** A language of the layout tests only: the build has no texts for it, so that a page without the tests' texts is in English. */
export const PSEUDO_LANGUAGE = 'en-XA';

/** The languages whose texts are complete. */
export const offeredLanguages: readonly Language[] = __TEXT_LANGUAGES__;

/**
 * The language of the page, for `Intl` and for its texts. It is chosen before anything is rendered, see `boot.ts`, and does not
 * change while the page is open.
 */
export const language: string =
  typeof document === 'undefined' ? 'en' : document.documentElement.lang || 'en';

/** The name of the page's language, in that language. */
export function languageName(): string {
  const known = Object.entries(LANGUAGES).find(([tag]) => tag === language);
  return known?.[1] ?? LANGUAGES.en;
}

/** The same for dates: in English the day stands before the month. */
export const dateLanguage: string = language === 'en' ? 'en-GB' : language;

/** A day in short: "31 Jan 2027". Japanese ones are in digits, "2027/01/31": in words they would wrap in cards. */
export const dayForm: Intl.DateTimeFormatOptions =
  language === 'ja'
    ? { day: '2-digit', month: '2-digit', year: 'numeric' }
    : { day: 'numeric', month: 'short', year: 'numeric' };

/** Stores the language and loads the page again in it. Without a language the browser's is used. */
export function chooseLanguage(chosen: Language | undefined): void {
  if (chosen === undefined) window.localStorage.removeItem(LANGUAGE_KEY);
  else window.localStorage.setItem(LANGUAGE_KEY, chosen);
  window.location.reload();
}

/** The language that a person chose in this browser. */
export function chosenLanguage(): Language | undefined {
  const stored = window.localStorage.getItem(LANGUAGE_KEY);
  return offeredLanguages.find((offered) => offered === stored);
}
