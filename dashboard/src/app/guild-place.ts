export const guildPageNames = [
  'overview',
  'ledger',
  'people',
  'person',
  'discharges',
  'transfers',
  'audit',
  'keys',
  'requests',
  'webhooks',
  'webhook',
  'roles',
  'settings',
  'board',
  'me',
] as const;

export type GuildPageName = (typeof guildPageNames)[number];

/** Pages of a single thing have their own name. The ledger's is an old address of a person. */
const detailPages: Readonly<Record<string, GuildPageName>> = {
  ledger: 'person',
  people: 'person',
  webhooks: 'webhook',
};

/** The part of an address after the guild. */
export interface GuildPlace {
  guildId: string;
  page: GuildPageName;
  /** The id of the thing the page is about; '' for a page about the guild. */
  id: string;
}

/** The page of a guild that a path leads to; undefined for any other path. */
export function guildPlaceOf(path: string): GuildPlace | undefined {
  const parts = /^\/dashboard\/guilds\/([^/]+)(?:\/([^/]*))?(?:\/([^/]+))?\/?$/.exec(path);
  if (!parts) return undefined;
  const [guildId = '', section = '', id = ''] = parts.slice(1).map((part = '') => safelyDecoded(part));
  const page = id === '' ? section || 'overview' : detailPages[section];
  return page !== undefined && isPageName(page) ? { guildId, page, id } : undefined;
}

/**
 * True for the page at the address and, unless `isExact`, for the pages below it. Case and a slash at the end make no difference, as
 * for the router, whose own comparison builds an expression for each link.
 */
export function isAt(pathname: string, address: string, isExact: boolean): boolean {
  const [here, there] = [pathname, address].map((path) => path.toLowerCase().replace(/\/+$/, ''));
  return here === there || (!isExact && here?.startsWith(`${there}/`) === true);
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
