import { t } from '@lingui/core/macro';
import { parseMoney } from '../components/money.ts';
import { isDecimal } from '../components/search-filters.ts';
import { fileSigns, type NumberSigns, plainAmount } from '../components/typed-amount.ts';

// The rules of the fields that all forms for transactions share.

export type PostTextField = 'name' | 'quantity' | 'amount';

export function quantityFault(quantity: string): string | null {
  const text = quantity.trim();
  const isWhole = /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
  return isWhole ? null : t`A whole number from 1 up`;
}

/** `signs` are those of the page's language, unless the amount comes from a file. */
export function amountFault(amount: string, signs?: NumberSigns): string | null {
  const text = plainAmount(amount, signs).trim();
  if (text === '') return t`Say how much`;
  if (!isDecimal(text)) {
    return signs === fileSigns
      ? t`A number with a point, such as 250 or 12.5, and at most 4 decimal places`
      : t`A number such as 250 or 12.5, with at most 4 decimal places`;
  }
  return parseMoney(text) === 0n ? t`More than 0` : null;
}

/** The field that a refusal of the service is about: "Bad request - amount must not be zero". */
export function fieldOfRefusal(message: string): PostTextField | undefined {
  const word = /^Bad request - (name|quantity|amount)\b/.exec(message)?.[1];
  return (['name', 'quantity', 'amount'] as const).find((field) => field === word);
}
