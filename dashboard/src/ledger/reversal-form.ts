import { t } from '@lingui/core/macro';
import type { Transaction } from '../api/transactions.ts';
import { moneyText, parseMoney } from '../components/money.ts';

const reasonLengthMax = 256;

/** The form id of a reversal, for its draft. */
export function reversalFormId(transactionId: string): string {
  return `reversals/${transactionId}`;
}

/** A reason is optional. */
export function reasonFault(reason: string): string | null {
  const length = [...reason.trim()].length;
  return length > reasonLengthMax ? t`At most ${reasonLengthMax} characters; these are ${length}` : null;
}

/** The amounts that a reversal posts: the same with the opposite sign. */
export function oppositeOf({ amount, quantity, total }: Pick<Transaction, 'amount' | 'quantity' | 'total'>) {
  return { quantity, amount: negated(amount), total: negated(total) };
}

function negated(amount: string): string {
  return moneyText(-(parseMoney(amount) ?? 0n));
}
