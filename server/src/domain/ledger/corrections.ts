import { DomainError } from '../errors.ts';
import type { Guild, GuildRef, TransactionExtra } from '../model.ts';
import { totalUnits, unitsFromNumber } from './amount.ts';
import { type EntryStore, isTransactionId, missingTransaction } from './entries.ts';
import type { LedgerViewStore } from './ledger-views.ts';
import { floorOf } from './posting.ts';

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

/**
 * Refuses a withdrawal that takes the present balance below zero, unless it is confirmed. Others may post between
 * this check and the post, so the post itself enforces the guild's rule and the account's floor.
 */
export async function assertCovered(
  views: Pick<LedgerViewStore, 'findPlayer'>,
  guild: Guild,
  input: CorrectionInput,
): Promise<void> {
  const change = totalUnits(unitsFromNumber('amount', input.amount), input.quantity);
  // Nothing to confirm here. A withdrawal with the `deposit` flag is refused by the post.
  if (change >= 0 || input.deposit === true || input.isOverdraftWanted === true) {
    return;
  }
  const account = await views.findPlayer(guild, input.playerId);
  const afterUnits = (account?.balanceUnits ?? 0) + change;
  // No confirmation can allow this; the post refuses it.
  const isForbidden = afterUnits < floorOf(account ?? {}, guild.overdraftAllowed);
  if (afterUnits < 0 && !isForbidden) {
    throw new DomainError('overdraft_unconfirmed');
  }
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

/** The requested transaction first, then the other side of its payment if it has one. */
export async function sidesOf({ entries }: Parts, guild: GuildRef, transactionId: string): Promise<string[]> {
  const entry = isTransactionId(transactionId) ? await entries.find(guild, transactionId) : undefined;
  const sides = entry?.paymentId === undefined ? [] : await entries.findPayments(guild, [entry.paymentId]);
  return [...new Set([transactionId, ...sides.map((side) => side.transactionId)])];
}
