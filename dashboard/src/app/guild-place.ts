export const guildPageNames = [
  'overview',
  'ledger',
  'player',
  'people',
  'profile',
  'discharges',
  'transfers',
  'verifications',
  'audit',
  'keys',
  'webhooks',
  'webhook',
  'roles',
  'settings',
  'api',
] as const;

export type GuildPageName = (typeof guildPageNames)[number];

/** Pages of one thing have a name of their own: the page of a player is not the ledger. */
const detailPages: Readonly<Record<string, GuildPageName>> = {
  ledger: 'player',
  people: 'profile',
  webhooks: 'webhook',
};

/** What stands behind a guild in an address. */
export interface GuildPlace {
  guildId: string;
  page: GuildPageName;
  /** The id of what the page is about; '' where it is about the guild. */
  id: string;
}

/** Which page of a guild a path leads to; undefined where it leads elsewhere. */
export function guildPlaceOf(path: string): GuildPlace | undefined {
  const parts = /^\/dashboard\/guilds\/([^/]+)(?:\/([^/]*))?(?:\/([^/]+))?\/?$/.exec(path);
  if (!parts) return undefined;
  const [guildId = '', room = '', id = ''] = parts.slice(1).map((part = '') => safelyDecoded(part));
  const page = id === '' ? room || 'overview' : detailPages[room];
  return page !== undefined && isPageName(page) ? { guildId, page, id } : undefined;
}

function isPageName(name: string): name is GuildPageName {
  return guildPageNames.some((one) => one === name);
}

function safelyDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
