/**
 * The account of a player, or of the person themself. The person's own account has routes of its own, which need no role and never
 * show anything of others.
 */
export type AccountRef = { playerId: string; isOwn?: false } | { isOwn: true };

export const ownAccount: AccountRef = { isOwn: true };

/** The parts of the account's path below its guild. */
export function accountParts(account: AccountRef): string[] {
  return account.isOwn ? ['me'] : ['players', account.playerId];
}

/** The beginning of the keys of the account's queries. */
export function accountKey(guildId: string, account: AccountRef): readonly string[] {
  const which = account.isOwn ? ['own'] : ['player', account.playerId];
  return ['guilds', guildId, 'ledger', ...which];
}

/** The path of a single transaction, which the person's own account has too. */
export function transactionParts(transactionId: string, isOwn: boolean): string[] {
  return [...(isOwn ? ['me'] : []), 'transactions', transactionId];
}
