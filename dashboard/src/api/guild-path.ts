/** The path of a route below one guild. Empty and undefined values are left out of the query. */
export function guildPath(
  guildId: string,
  parts: readonly string[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const path = ['', 'guilds', guildId, ...parts].map(encodeURIComponent).join('/');
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The same as an address for the browser itself, for downloads. */
export function downloadAddress(...address: Parameters<typeof guildPath>): string {
  return `/dashboard/api${guildPath(...address)}`;
}
