import { language } from './languages.ts';

/** A label within a sentence: "Copy the player id". English begins labels with a capital; other languages keep theirs. */
export function inSentence(label: string): string {
  return language === 'en' ? label.toLowerCase() : label;
}
