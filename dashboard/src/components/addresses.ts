export function overviewAddress(guildId: string): string {
  return `/guilds/${encodeURIComponent(guildId)}`;
}

/** The ledger of the whole guild, narrowed down by what the query says. */
export function ledgerAddress(guildId: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `${overviewAddress(guildId)}/ledger${search === '' ? '' : `?${search}`}`;
}

export function playerAddress(guildId: string, playerId: string): string {
  return `${ledgerAddress(guildId)}/${encodeURIComponent(playerId)}`;
}
