// The calendars of guilds that were open in this browser. With them the data of the first page is requested before the list of
// guilds has arrived. A wrong one costs a second request, and nothing else.

const prefix = 'guildbook-calendar:';

export function knownCalendar(guildId: string): string {
  try {
    return window.localStorage.getItem(prefix + guildId) ?? 'UTC';
  } catch {
    return 'UTC';
  }
}

export function rememberCalendar(guildId: string, timeZone: string): void {
  try {
    if (timeZone === 'UTC') window.localStorage.removeItem(prefix + guildId);
    else window.localStorage.setItem(prefix + guildId, timeZone);
  } catch {
    // Browsers without storage request the data again.
  }
}
