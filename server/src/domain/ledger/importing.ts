import type { ImportOutcome, PastTransaction } from '../model.ts';
import type { AccountState } from './posting.ts';

/** Either the state that the account has with the transaction in it, or why it stays as it is. */
export type ImportDecision = { account: AccountState } | { outcome: Exclude<ImportOutcome, 'added'> };

/** What an imported transaction that takes another one back needs to know of that one. */
export interface ReversedTransaction {
  number: number;
  playerId: string;
  totalUnits: number;
  isReversed: boolean;
}

/**
 * What a transaction of an imported history does to its account. `isPresent` tells whether the account has one with the
 * same id and time; it is asked only when that is possible, because what is younger than the last one cannot be there.
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

/** Why a transaction cannot take another one back, or undefined when it can. `reversed` is what the guild has of that id. */
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
