import type { GuildRef, TransactionExtra } from '../model.ts';
import { totalUnits, unitsFromNumber } from './amount.ts';
import type { Withdrawal } from './covered.ts';
import { type EntryStore, isTransactionId, missingTransaction } from './entries.ts';

interface Parts {
  entries: Pick<EntryStore, 'find' | 'isArchived'>;
}

export interface CorrectionInput {
  playerId: string;
  name: string;
  quantity: number;
  amount: number;
  deposit?: boolean | undefined;
  withdrawal?: boolean | undefined;
  /** The dashboard, if not given. */
  source?: string | undefined;
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
  if (!isTransactionId(corrects) || (await entries.find(guild, corrects)) === undefined) {
    throw await missingTransaction(entries, guild, corrects);
  }
  return { metadata: { corrects } };
}

/** The requested transactions first, then the other sides of their payments. */
export async function sidesOf(
  { entries }: { entries: Pick<EntryStore, 'findMany' | 'findPayments'> },
  guild: GuildRef,
  transactionIds: readonly string[],
): Promise<string[]> {
  const found = await entries.findMany(guild, transactionIds.filter(isTransactionId));
  const paymentIds = new Set(found.flatMap(({ paymentId }) => paymentId ?? []));
  const sides = paymentIds.size === 0 ? [] : await entries.findPayments(guild, [...paymentIds]);
  return [...new Set([...transactionIds, ...sides.map((side) => side.transactionId)])];
}
