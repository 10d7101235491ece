/** The part of a route's address below one guild. What is empty or undefined is left out of the query. */
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

/** The same as the browser itself asks for it: for downloads. */
export function downloadAddress(...address: Parameters<typeof guildPath>): string {
  return `/dashboard/api${guildPath(...address)}`;
}
