import { t } from '@lingui/core/macro';
import { amountFault, quantityFault } from '../acting/post-fields.ts';
import type { Correction } from '../api/transactions.ts';
import { addMoney, moneyText, parseMoney, signOf } from '../components/money.ts';
import { plainAmount } from '../components/typed-amount.ts';

export interface CorrectionValues {
  direction: 'deposit' | 'withdrawal';
  name: string;
  quantity: string;
  /** Without a sign; `direction` determines it. */
  amount: string;
}

export const nameLengthMax = 256;

/** The form id of a transaction's correction, for its draft. */
export function correctionFormId(transactionId: string): string {
  return `corrections/of/${transactionId}`;
}

export function nameFault(name: string): string | null {
  const length = [...name.trim()].length;
  if (length === 0) return t`Say what the correction is for`;
  return length > nameLengthMax ? t`At most ${nameLengthMax} characters; these are ${length}` : null;
}

export interface Preview {
  /** With its sign. */
  total: string;
  balance: string;
}

/** The result of the correction; undefined while the fields are incomplete or invalid. */
export function previewOf(values: CorrectionValues, balance: string): Preview | undefined {
  if (quantityFault(values.quantity) !== null || amountFault(values.amount) !== null) return undefined;
  const size = (parseMoney(plainAmount(values.amount).trim()) ?? 0n) * BigInt(values.quantity.trim());
  const total = moneyText(values.direction === 'deposit' ? size : -size);
  return { total, balance: addMoney(balance, total) };
}

/** True when the correction takes the account below zero, or further below it. */
export function isOverdraft(preview: Preview | undefined): boolean {
  return preview !== undefined && signOf(preview.total) < 0 && signOf(preview.balance) < 0;
}

interface CorrectionExtras {
  /** The id of the corrected transaction, if there is one. */
  corrects?: string | undefined;
  /** The person has confirmed that the balance may fall below zero. */
  isOverdraftWanted?: boolean;
}

export function correctionOf(
  values: CorrectionValues,
  { corrects, isOverdraftWanted = false }: CorrectionExtras = {},
): Correction {
  const { direction, name, quantity, amount } = values;
  const size = Number(plainAmount(amount).trim());
  const shared = {
    name: name.trim(),
    quantity: Number(quantity.trim()),
    ...(isOverdraftWanted && { overdraft: true as const }),
    ...(corrects !== undefined && { corrects }),
  };
  if (direction === 'deposit') return { ...shared, amount: size, deposit: true };
  return { ...shared, amount: -size, withdrawal: true };
}
