import { language } from '../texts/languages.ts';
import { lazily } from './lazily.ts';

// People type amounts as they read them, with the signs of their language. The ledger has a point before the decimals and nothing
// between the thousands.

/** The signs in the numbers of a language. */
export interface NumberSigns {
  decimal: string;
  /** Between thousands; '' for any space. */
  group: string;
}

export function signsOf(tag: string): NumberSigns {
  const parts = new Intl.NumberFormat(tag).formatToParts(123_456.7);
  const sign = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: sign('decimal'), group: sign('group').trim() };
}

/** The signs of files, which every program writes in the same way. */
export const fileSigns: NumberSigns = { decimal: '.', group: ',' };

const pageSigns = lazily(() => signsOf(language));

/**
 * "1.234,5" typed in German as "1234.5". A point in a language with a comma is read as one only where it cannot stand between
 * thousands: "12.5" is twelve and a half, and "1.234" is one thousand, as the language writes it. Any other text is returned unchanged.
 */
export function plainAmount(text: string, signs: NumberSigns = pageSigns()): string {
  const decimal = escaped(signs.decimal);
  const group = signs.group === '' ? '[ \\u00a0\\u202f]' : escaped(signs.group);
  const typed = text.trim();
  if (new RegExp(`^[+-]?[1-9]\\d{0,2}(?:${group}\\d{3})+(?:${decimal}\\d*)?$`).test(typed)) {
    return typed.replaceAll(new RegExp(group, 'g'), '').replace(signs.decimal, '.');
  }
  return new RegExp(`^[+-]?\\d+${decimal}\\d*$`).test(typed) ? typed.replace(signs.decimal, '.') : text;
}

/** A plain amount as somebody would type it, for fields that have one already. */
export function typedAmount(plain: string, signs: NumberSigns = pageSigns()): string {
  return plain.replace('.', signs.decimal);
}

/**
 * How an amount is understood, to be shown beside its field: with two decimals at least, so that "1.234" is clear. Undefined where
 * it cannot be misread, and for a text that is no amount.
 */
export function understoodAmount(text: string, tag: string = language): string | undefined {
  const signs = signsOf(tag);
  const plain = plainAmount(text, signs).trim();
  if (signs.decimal === '.' || !/\D/.test(text.trim()) || !/^[+-]?\d+(?:\.\d{1,4})?$/.test(plain))
    return undefined;
  const format = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  // The text was checked above, and its digits are kept exactly.
  return format.format(plain as Intl.StringNumericLiteral);
}

function escaped(sign: string): string {
  return sign.replace('.', '\\.');
}
