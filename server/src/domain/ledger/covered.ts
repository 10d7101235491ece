import { DomainError } from '../errors.ts';
import type { Guild } from '../model.ts';
import type { EntryStore } from './entries.ts';
import type { LedgerViewStore } from './ledger-views.ts';
import { floorOf } from './posting.ts';

export interface FundsParts {
  views: Pick<LedgerViewStore, 'findFunds'>;
  entries: Pick<EntryStore, 'isKeyUsed'>;
}

/** The effect of a transaction on an account. */
export interface Withdrawal {
  playerId: string;
  totalUnits: number;
}

export interface CoverOptions {
  /** The person has confirmed that balances may fall below zero. */
  isOverdraftWanted?: boolean | undefined;
  idempotencyKey?: string | undefined;
}

/**
 * Refuses withdrawals that take a present balance below zero, unless that is confirmed. A repeated
 * request is not refused: the balance already contains its first post. Others may post between this check and the
 * post, so the post itself enforces the guild's rule and the floors of the accounts.
 */
export async function assertCovered(
  { views, entries }: FundsParts,
  guild: Guild,
  transactions: readonly Withdrawal[],
  { isOverdraftWanted = false, idempotencyKey }: CoverOptions,
): Promise<void> {
  const taken = new Set(
    transactions.filter(({ totalUnits }) => totalUnits < 0).map(({ playerId }) => playerId),
  );
  if (isOverdraftWanted || taken.size === 0) {
    return;
  }
  const accounts = new Map(
    (await views.findFunds(guild, [...taken])).map((account) => [account.playerId, { ...account }]),
  );
  const position = transactions.findIndex(({ playerId, totalUnits }) => {
    const account = accounts.get(playerId) ?? { playerId, balanceUnits: 0, floorUnits: undefined };
    account.balanceUnits += totalUnits;
    accounts.set(playerId, account);
    // No confirmation can allow a balance below the floor; the post refuses it.
    const isForbidden = account.balanceUnits < floorOf(account, guild.overdraftAllowed);
    return totalUnits < 0 && account.balanceUnits < 0 && !isForbidden;
  });
  if (position === -1) {
    return;
  }
  const isRepeat = idempotencyKey !== undefined && (await entries.isKeyUsed(guild, idempotencyKey));
  if (!isRepeat) {
    throw new DomainError('overdraft_unconfirmed', transactions.length > 1 ? { facts: { position } } : {});
  }
}
