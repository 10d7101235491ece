import {
  IconArrowsExchange,
  IconChartBar,
  IconCoins,
  IconDoorExit,
  IconFileText,
  IconHistory,
  IconKey,
  IconListDetails,
  IconPresentation,
  IconSettings,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { may } from '../access/guild-texts.ts';
import type { Guild } from '../api/guilds.ts';

interface GuildPage {
  /** Below the guild's address; '' for its overview. */
  path: string;
  label: string;
  needs: Guild['may'][number];
  Icon: typeof IconCoins;
  /** Other words by which the palette finds it. */
  keywords: readonly string[];
}

/** The entries of the navigation, in its order. */
const navigationPages: readonly GuildPage[] = [
  { path: '', label: 'Overview', needs: 'ledger.read', Icon: IconChartBar, keywords: ['chart'] },
  {
    path: 'ledger',
    label: 'Ledger',
    needs: 'ledger.read',
    Icon: IconCoins,
    keywords: ['transactions', 'money', 'balance'],
  },
  {
    path: 'people',
    label: 'People',
    needs: 'people.read',
    Icon: IconUsers,
    keywords: ['members', 'players', 'profiles', 'names', 'verifications', 'look up', 'users'],
  },
  {
    path: 'discharges',
    label: 'Records',
    needs: 'records.read',
    Icon: IconFileText,
    keywords: ['discharges', 'transfers'],
  },
  {
    path: 'audit',
    label: 'Audit log',
    needs: 'audit.read',
    Icon: IconHistory,
    keywords: ['changes', 'history'],
  },
  { path: 'keys', label: 'API keys', needs: 'keys.read', Icon: IconKey, keywords: [] },
  {
    path: 'webhooks',
    label: 'Webhooks',
    needs: 'webhooks.read',
    Icon: IconWebhook,
    keywords: ['discord', 'channel', 'events', 'deliveries', 'notifications'],
  },
  {
    path: 'roles',
    label: 'Roles',
    needs: 'roles.read',
    Icon: IconUsersGroup,
    keywords: ['people', 'access', 'permissions', 'invite'],
  },
  {
    path: 'settings',
    label: 'Guild settings',
    needs: 'settings.change',
    Icon: IconSettings,
    keywords: [],
  },
];

/** The tabs of entries that have some, by the entry's path. The palette and the shortcuts open each of them. */
const tabs: Readonly<Record<string, readonly GuildPage[]>> = {
  discharges: [
    {
      path: 'discharges',
      label: 'Discharges',
      needs: 'records.read',
      Icon: IconDoorExit,
      keywords: ['records', 'left'],
    },
    {
      path: 'transfers',
      label: 'Transfers',
      needs: 'records.read',
      Icon: IconArrowsExchange,
      keywords: ['records', 'moved'],
    },
  ],
  keys: [
    { path: 'keys', label: 'API keys', needs: 'keys.read', Icon: IconKey, keywords: [] },
    {
      path: 'requests',
      label: 'Requests',
      needs: 'keys.read',
      Icon: IconListDetails,
      keywords: ['refused', 'errors', 'log', 'usage'],
    },
  ],
  settings: [
    {
      path: 'settings',
      label: 'Guild settings',
      needs: 'settings.change',
      Icon: IconSettings,
      keywords: ['currency', 'symbol', 'decimals', 'overdraft', 'calendar', 'time zone'],
    },
    {
      path: 'board',
      label: 'Public board',
      needs: 'settings.change',
      Icon: IconPresentation,
      keywords: ['public', 'page', 'share', 'leaderboard', 'embed', 'publish'],
    },
  ],
};

/** The entries of the navigation for this person. */
export function navigationOf(guild: Guild): GuildPage[] {
  return navigationPages.filter(({ needs }) => may(guild, needs));
}

/** All pages that the person may open, for the palette and the shortcuts: each tab is a page of its own. */
export function openPages(guild: Guild): GuildPage[] {
  return navigationPages
    .flatMap((page) => tabs[page.path] ?? [page])
    .filter(({ needs }) => may(guild, needs));
}

/** The address of an entry. An entry with tabs leads to the tab that is open, so that it is the current one. */
export function entryPath({ path }: GuildPage, openPath: string): string {
  const isTab = tabs[path]?.some((page) => page.path === openPath) ?? false;
  return isTab ? openPath : path;
}

export function guildPageAddress(guildId: string, path: string): string {
  return path === '' ? `/guilds/${guildId}` : `/guilds/${guildId}/${path}`;
}
