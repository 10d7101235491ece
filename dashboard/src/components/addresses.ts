export function overviewAddress(guildId: string): string {
  return `/guilds/${encodeURIComponent(guildId)}`;
}

/** The API reference, with examples of the guild when one is given. It is a page of its own, outside of the dashboard. */
export function docsAddress(guildId?: string): string {
  return guildId === undefined ? '/docs' : `/docs?guild=${encodeURIComponent(guildId)}`;
}

/** The ledger of the whole guild, with filters as a query. */
export function ledgerAddress(guildId: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `${overviewAddress(guildId)}/ledger${search === '' ? '' : `?${search}`}`;
}

/** The page of a person. `search` is the query string, such as the range of the page that has the link. */
export function personAddress(guildId: string, playerId: string, search = ''): string {
  return `${overviewAddress(guildId)}/people/${encodeURIComponent(playerId)}${search}`;
}

/** The ledger with a transaction's details open, also when the transaction is not on the shown page. */
export function transactionAddress(guildId: string, transactionId: string): string {
  return ledgerAddress(guildId, { record: transactionId });
}
