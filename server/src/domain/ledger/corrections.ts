import type { GuildRef, TransactionExtra } from '../model.ts';
import { totalUnits, unitsFromNumber } from './amount.ts';
import type { Withdrawal } from './covered.ts';
import { type EntryStore, isTransactionId, missingTransaction } from './entries.ts';

interface Parts {
  entries: Pick<EntryStore, 'find' | 'findPayments' | 'isArchived'>;
}

export interface CorrectionInput {
  playerId: string;
  name: string;
  quantity: number;
  amount: number;
  deposit?: boolean | undefined;
  withdrawal?: boolean | undefined;
  /** The person has confirmed that the balance may fall below zero. */
  isOverdraftWanted?: boolean | undefined;
  /** The id of the corrected transaction of the guild, stored in the metadata. */
  corrects?: string | undefined;
}

/** The effect of a correction on its account. */
export function effectOf({ playerId, amount, quantity }: CorrectionInput): Withdrawal {
  return { playerId, totalUnits: totalUnits(unitsFromNumber('amount', amount), quantity) };
}

/** The metadata of a correction. The corrected transaction must exist. */
export async function extraOf(
  { entries }: Parts,
  guild: GuildRef,
  corrects: string | undefined,
): Promise<TransactionExtra | undefined> {
  if (corrects === undefined) {
    return undefined;
  }
  const corrected = isTransactionId(corrects) ? await entries.find(guild, corrects) : undefined;
  if (corrected === undefined) {
    throw await missingTransaction(entries, guild, corrects);
  }
  // The id as it is stored, which may differ in case: the corrections of a transaction are found by it.
  return { metadata: { corrects: corrected.transactionId } };
}

/** The requested transaction first, then the other side of its payment if it has one. */
export async function sidesOf({ entries }: Parts, guild: GuildRef, transactionId: string): Promise<string[]> {
  const entry = isTransactionId(transactionId) ? await entries.find(guild, transactionId) : undefined;
  const sides = entry?.paymentId === undefined ? [] : await entries.findPayments(guild, [entry.paymentId]);
  return [...new Set([transactionId, ...sides.map((side) => side.transactionId)])];
}
