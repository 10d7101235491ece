import { t } from '@lingui/core/macro';
import type { Transaction } from '../api/transactions.ts';
import { addMoney, moneyText, parseMoney, signOf } from '../components/money.ts';
import { isDecimal } from '../components/search-filters.ts';
import { plainAmount } from '../components/typed-amount.ts';
import { type CorrectionValues, nameLengthMax, type Preview } from './correction-form.ts';
import { effectiveTotal } from './transaction-relations.ts';

/** The transaction as it should have been. The correction posts the difference. */
export interface ShouldBeValues {
  direction: 'deposit' | 'withdrawal';
  /** Without a sign; `direction` determines it. */
  total: string;
  name: string;
}

export type ShouldBeField = 'total' | 'name';

type Corrected = Pick<Transaction, 'name' | 'total' | 'reversedBy' | 'corrections'>;

/** The direction is that of the transaction, and the name says what it is for. */
export function emptyShouldBe({ name, total }: Corrected): ShouldBeValues {
  const words = [...t`Correction: ${name}`].slice(0, nameLengthMax).join('');
  return { direction: signOf(total) < 0 ? 'withdrawal' : 'deposit', total: '', name: words.trim() };
}

export function totalFault({ total, ...values }: ShouldBeValues, transaction: Corrected): string | null {
  const text = plainAmount(total).trim();
  if (text === '') return t`Say what the total should have been`;
  if (!isDecimal(text)) return t`A number such as 0, 250 or 12.5, with at most 4 decimal places`;
  return differenceOf({ ...values, total }, transaction) === '0' ? t`It is exactly that already` : null;
}

/** The change of the balance, with its sign; undefined while the total is no number. */
export function differenceOf(values: ShouldBeValues, transaction: Corrected): string | undefined {
  const text = plainAmount(values.total).trim();
  const size = isDecimal(text) ? parseMoney(text) : undefined;
  if (size === undefined) return undefined;
  const wanted = values.direction === 'deposit' ? size : -size;
  return moneyText(wanted - (parseMoney(effectiveTotal(transaction)) ?? 0n));
}

/** The result of the correction; undefined while there is nothing to correct. */
export function shouldBePreview(
  values: ShouldBeValues,
  transaction: Corrected,
  balance: string,
): Preview | undefined {
  const total = differenceOf(values, transaction);
  return total === undefined || total === '0' ? undefined : { total, balance: addMoney(balance, total) };
}

/** The correction to post. `difference` is not zero. */
export function correctionBy({ name }: ShouldBeValues, difference: string): CorrectionValues {
  return {
    direction: signOf(difference) < 0 ? 'withdrawal' : 'deposit',
    name,
    quantity: '1',
    amount: difference.replace(/^-/, ''),
  };
}
