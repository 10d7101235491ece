import { language } from '../texts/languages.ts';

/** `Intl` writes "3 日前" in Japanese; like everywhere else on the pages, no space stands between a number and its unit. */
export function closeUp(text: string): string {
  return language === 'ja' ? text.replace(/(\d) (?=\P{ASCII})/gu, '$1') : text;
}
