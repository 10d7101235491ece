import type { ImportOutcome, PastTransaction } from '../model.ts';
import type { AccountState } from './posting.ts';

/** The state of the account after the transaction, or the reason why it is not added. */
export type ImportDecision = { account: AccountState } | { outcome: Exclude<ImportOutcome, 'added'> };

/** The fields that an imported reversal needs of the transaction that it reverses. */
export interface ReversedTransaction {
  number: number;
  playerId: string;
  totalUnits: number;
  isReversed: boolean;
}

/**
 * Decides the effect of an imported transaction on its account. `isPresent` is true when the account has one with the
 * same id and time. It is called only when that is possible: a transaction younger than the account's last one cannot
 * be present.
 */
export function decideImport(
  account: AccountState,
  { createdAtMs, totalUnits }: Pick<PastTransaction, 'createdAtMs' | 'totalUnits'>,
  isPresent: () => boolean,
): ImportDecision {
  if (createdAtMs <= account.lastCreatedAtMs && isPresent()) {
    return { outcome: 'present' };
  }
  if (createdAtMs < account.lastCreatedAtMs) {
    const last = new Date(account.lastCreatedAtMs).toISOString();
    return { outcome: { refused: `older than the account's last transaction (${last})` } };
  }
  const balanceUnits = account.balanceUnits + totalUnits;
  if (!Number.isSafeInteger(balanceUnits)) {
    return { outcome: { refused: 'the balance would be out of range' } };
  }
  return { account: { balanceUnits, count: account.count + 1, lastCreatedAtMs: createdAtMs } };
}

/**
 * The reason why a transaction cannot reverse another one, or undefined when it can. `reversed` is the guild's
 * transaction of that id.
 */
export function refuseReversal(
  { playerId, totalUnits }: Pick<PastTransaction, 'playerId' | 'totalUnits'>,
  reversed: ReversedTransaction | undefined,
): string | undefined {
  if (reversed === undefined) {
    return 'the transaction that it reverses is not there';
  }
  if (reversed.isReversed) {
    return 'the transaction that it reverses has been reversed';
  }
  return reversed.playerId === playerId && reversed.totalUnits === -totalUnits
    ? undefined
    : 'it is not the opposite of the transaction that it reverses';
}
