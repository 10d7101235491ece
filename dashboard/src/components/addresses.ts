export function overviewAddress(guildId: string): string {
  return `/guilds/${encodeURIComponent(guildId)}`;
}

/** The ledger of the whole guild, narrowed down by what the query says. */
export function ledgerAddress(guildId: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `${overviewAddress(guildId)}/ledger${search === '' ? '' : `?${search}`}`;
}

/** `search` is what stands behind the path, such as the range of the page that the link is on. */
export function playerAddress(guildId: string, playerId: string, search = ''): string {
  return `${ledgerAddress(guildId)}/${encodeURIComponent(playerId)}${search}`;
}

/** Where a transaction's details are open, whatever page of the list it is on. */
export function transactionAddress(guildId: string, transactionId: string): string {
  return ledgerAddress(guildId, { record: transactionId });
}

export function personAddress(guildId: string, playerId: string): string {
  return `${overviewAddress(guildId)}/people/${encodeURIComponent(playerId)}`;
}
