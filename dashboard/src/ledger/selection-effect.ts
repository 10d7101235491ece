import type { Transaction } from '../api/transactions.ts';
import { addMoney } from '../components/money.ts';
import { oppositeOf } from './reversal-form.ts';

/** The change of one player's balance by a reversal of several transactions. */
export interface PlayerEffect {
  playerId: string;
  username: string | null;
  total: string;
}

/** A reversal cannot be reversed, and no transaction twice. The service checks it again. */
export function isReversible({
  reverses,
  reversedBy,
}: Pick<Transaction, 'reverses' | 'reversedBy'>): boolean {
  return reverses === null && reversedBy === null;
}

type Selected = Pick<Transaction, 'playerId' | 'username' | 'amount' | 'quantity' | 'total'>;

/** The effect on each player, in the order in which the players occur. */
export function effectsOf(transactions: readonly Selected[]): PlayerEffect[] {
  const effects = new Map<string, PlayerEffect>();
  for (const transaction of transactions) {
    const { playerId, username } = transaction;
    const before = effects.get(playerId)?.total ?? '0';
    effects.set(playerId, { playerId, username, total: addMoney(before, oppositeOf(transaction).total) });
  }
  return [...effects.values()];
}

export function netOf(transactions: readonly Pick<Transaction, 'total'>[]): string {
  return transactions.reduce((sum, { total }) => addMoney(sum, total), '0');
}
