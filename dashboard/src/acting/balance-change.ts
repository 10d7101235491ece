import { addMoney, parseMoney, signOf } from '../components/money.ts';

/** An account before a change. */
export interface Funds {
  balance: string;
  /** The lowest balance that a withdrawal may lead to; null when there is none. */
  lowest: string | null;
}

export interface BalanceChange {
  before: string;
  after: string;
  /** `below-zero` needs a confirmation. `refused` is below the lowest balance: no confirmation allows it. */
  state: 'fine' | 'below-zero' | 'refused';
}

/** The effect of a signed amount on an account, by the rules of the service. */
export function changeBalance({ balance, lowest }: Funds, change: string): BalanceChange {
  const after = addMoney(balance, change);
  const isWithdrawal = signOf(change) < 0;
  const isRefused = isWithdrawal && lowest !== null && isLess(after, lowest);
  const isBelowZero = isWithdrawal && signOf(after) < 0;
  return { before: balance, after, state: isRefused ? 'refused' : isBelowZero ? 'below-zero' : 'fine' };
}

function isLess(one: string, other: string): boolean {
  return (parseMoney(one) ?? 0n) < (parseMoney(other) ?? 0n);
}
