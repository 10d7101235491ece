import { language } from '../texts/languages.ts';
import { lazily } from './lazily.ts';

const segmenter = lazily(() => new Intl.Segmenter(language, { granularity: 'grapheme' }));

/** Halves of characters and marks of direction. The joiner of emoji is not among them. */
const invisible = /[\p{Cs}\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** One or two characters for a name. An emoji counts as one character, even if it consists of several code points. */
export function initialsOf(name: string): string {
  const parts = name.replaceAll(invisible, '').trim().split(/\s+/).filter(Boolean);
  const wordsWithLetters = parts.filter((part) => /[\p{L}\p{N}]/u.test(part));
  const chosen = wordsWithLetters.length > 0 ? wordsWithLetters : parts;
  const first = chosen[0];
  const last = chosen.length > 1 ? chosen.at(-1) : undefined;
  return `${firstSign(first)}${firstSign(last)}`.toLocaleUpperCase(language) || '?';
}

function firstSign(word: string | undefined): string {
  if (word === undefined) return '';
  const signs = [...segmenter().segment(word)].map(({ segment }) => segment);
  return signs.find((sign) => /[\p{L}\p{N}]/u.test(sign)) ?? signs[0] ?? '';
}

/** A number from 0 to `count` - 1 that is always the same for one text. */
export function pickFor(text: string, count: number): number {
  let sum = 0;
  for (const sign of text) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % count;
}
