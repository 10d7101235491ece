import { findLanguage } from '../../server/src/texts/find-language.ts';

// Runs in the head, before the first paint (see vite.config.ts), so that the page never shows the wrong colour scheme or language
// first. Modules that it imports have to be its own: it is a classic script.

const root = document.documentElement;
const stored = (key: string): string | null => {
  try {
    return window.localStorage.getItem(key);
  } catch {
    // Some private modes refuse storage.
    return null;
  }
};

// The setting of Mantine's colour scheme manager.
const scheme = stored('mantine-color-scheme-value');
const isDark =
  scheme === 'dark' || (scheme !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

// LANGUAGE_KEY and PSEUDO_LANGUAGE of texts/languages.ts.
const chosen = stored('guildbook-language');
root.lang =
  chosen === 'en-XA' ? chosen : findLanguage([chosen ?? '', ...navigator.languages], __TEXT_LANGUAGES__);
window.textAddress = (unit) => `/dashboard/assets/${unit}.${root.lang}-${__TEXT_VERSION__}.json`;
const { page } = document.querySelector<HTMLElement>('script[data-page]')?.dataset ?? {};
if (root.lang !== 'en' && page !== undefined) {
  window.firstTexts = fetch(window.textAddress(page));
  // Handled where the texts are read.
  window.firstTexts.catch(() => undefined);
}
