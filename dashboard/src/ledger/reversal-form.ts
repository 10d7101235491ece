import type { Transaction } from '../api/transactions.ts';
import { moneyText, parseMoney } from '../components/money.ts';

const reasonLengthMax = 256;

/** Under which the form of a reversal is kept. */
export function reversalFormId(transactionId: string): string {
  return `reversals/${transactionId}`;
}

/** A reason may be left out. */
export function reasonFault(reason: string): string | null {
  const length = [...reason.trim()].length;
  return length > reasonLengthMax ? `At most ${reasonLengthMax} characters; these are ${length}` : null;
}

/** What a reversal posts: the same with the other sign. */
export function oppositeOf({ amount, quantity, total }: Pick<Transaction, 'amount' | 'quantity' | 'total'>) {
  return { quantity, amount: negated(amount), total: negated(total) };
}

function negated(amount: string): string {
  return moneyText(-(parseMoney(amount) ?? 0n));
}

/** What stands beside the name of a transaction that was taken back, or that takes another one back. */
export function reversalTag({ reverses, reversedBy }: Pick<Transaction, 'reverses' | 'reversedBy'>) {
  if (reversedBy !== null) return 'Reversed';
  return reverses === null ? undefined : 'Reversal';
}
