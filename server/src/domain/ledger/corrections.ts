import { DomainError } from '../errors.ts';
import type { Guild, GuildRef, TransactionExtra } from '../model.ts';
import { totalUnits, unitsFromNumber } from './amount.ts';
import { type EntryStore, isTransactionId } from './entries.ts';
import type { LedgerViewStore } from './ledger-views.ts';
import { floorOf } from './posting.ts';

interface Parts {
  entries: Pick<EntryStore, 'find' | 'findPayments'>;
}

export interface CorrectionInput {
  playerId: string;
  name: string;
  quantity: number;
  amount: number;
  deposit?: boolean | undefined;
  withdrawal?: boolean | undefined;
  /** Also where the balance falls below zero: somebody has seen that and wants it. */
  isOverdraftWanted?: boolean | undefined;
  /** The id of the guild's transaction that it corrects; it is kept in the metadata. */
  corrects?: string | undefined;
}

/**
 * Refuses a withdrawal that takes the present balance below zero, unless that is wanted. Between this and the post others may
 * post, too: what the guild's rule and the account's floor forbid is refused in the post itself.
 */
export async function assertCovered(
  views: Pick<LedgerViewStore, 'findPlayer'>,
  guild: Guild,
  input: CorrectionInput,
): Promise<void> {
  const change = totalUnits(unitsFromNumber('amount', input.amount), input.quantity);
  // A deposit flag on a withdrawal is for the post to refuse.
  if (change >= 0 || input.deposit === true || input.isOverdraftWanted === true) {
    return;
  }
  const account = await views.findPlayer(guild, input.playerId);
  const afterUnits = (account?.balanceUnits ?? 0) + change;
  // What no confirmation can help with is for the post to refuse.
  const isForbidden = afterUnits < floorOf(account ?? {}, guild.overdraftAllowed);
  if (afterUnits < 0 && !isForbidden) {
    throw new DomainError('overdraft_unconfirmed');
  }
}

/** What a correction notes of the transaction that it corrects, which has to exist. */
export async function extraOf(
  { entries }: Parts,
  guild: GuildRef,
  corrects: string | undefined,
): Promise<TransactionExtra | undefined> {
  if (corrects === undefined) {
    return undefined;
  }
  if (!isTransactionId(corrects) || (await entries.find(guild, corrects)) === undefined) {
    throw new DomainError('transaction_not_found');
  }
  return { metadata: { corrects } };
}

/** The transaction that is asked for first, and the other side of its payment when it has one. */
export async function sidesOf({ entries }: Parts, guild: GuildRef, transactionId: string): Promise<string[]> {
  const entry = isTransactionId(transactionId) ? await entries.find(guild, transactionId) : undefined;
  const sides = entry?.paymentId === undefined ? [] : await entries.findPayments(guild, [entry.paymentId]);
  return [...new Set([transactionId, ...sides.map((side) => side.transactionId)])];
}
