import { t } from '@lingui/core/macro';
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
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { may } from '../access/guild-texts.ts';
import type { Guild } from '../api/guilds.ts';
import { lazily } from '../components/lazily.ts';

interface GuildPage {
  /** Below the guild's address; '' for its overview. */
  path: string;
  label: string;
  /** The right that it needs; undefined for the person's own account. */
  needs: Guild['may'][number] | undefined;
  Icon: typeof IconCoins;
  /** Other words by which the palette finds it. */
  keywords: readonly string[];
}

/** The entries of the navigation, in its order. */
const navigationPages = lazily((): readonly GuildPage[] => [
  { path: '', label: t`Overview`, needs: 'ledger.read', Icon: IconChartBar, keywords: wordsOf(t`chart`) },
  {
    path: 'ledger',
    label: t`Ledger`,
    needs: 'ledger.read',
    Icon: IconCoins,
    keywords: wordsOf(t`transactions, money, balance`),
  },
  {
    path: 'people',
    label: t`People`,
    needs: 'people.read',
    Icon: IconUsers,
    keywords: wordsOf(t`members, players, profiles, names, verifications, look up, users`),
  },
  {
    path: 'discharges',
    label: t`Records`,
    needs: 'records.read',
    Icon: IconFileText,
    keywords: wordsOf(t`discharges, transfers`),
  },
  {
    path: 'audit',
    label: t`Audit log`,
    needs: 'audit.read',
    Icon: IconHistory,
    keywords: wordsOf(t`changes, history`),
  },
  { path: 'keys', label: t`API keys`, needs: 'keys.read', Icon: IconKey, keywords: [] },
  {
    path: 'webhooks',
    label: t`Webhooks`,
    needs: 'webhooks.read',
    Icon: IconWebhook,
    keywords: wordsOf(t`discord, channel, events, deliveries, notifications`),
  },
  {
    path: 'roles',
    label: t`Roles`,
    needs: 'roles.read',
    Icon: IconUsersGroup,
    keywords: wordsOf(t`people, access, permissions, invite`),
  },
  {
    path: 'settings',
    label: t`Guild settings`,
    needs: 'settings.change',
    Icon: IconSettings,
    keywords: [],
  },
]);

/** The page of the person's own account, below the guild's address. */
export const ownAccountPath = 'me';

/** Not in the navigation of people with a role: the menu of the account leads there. */
export const ownAccountPage = lazily(
  (): GuildPage => ({
    path: ownAccountPath,
    label: t`My account`,
    needs: undefined,
    Icon: IconUserCircle,
    keywords: wordsOf(t`balance, statement, receipts, own, verification`),
  }),
);

/** The tabs of entries that have some, by the entry's path. The palette and the shortcuts open each of them. */
const tabs = lazily(
  (): Readonly<Record<string, readonly GuildPage[]>> => ({
    discharges: [
      {
        path: 'discharges',
        label: t`Discharges`,
        needs: 'records.read',
        Icon: IconDoorExit,
        keywords: wordsOf(t`records, left`),
      },
      {
        path: 'transfers',
        label: t`Transfers`,
        needs: 'records.read',
        Icon: IconArrowsExchange,
        keywords: wordsOf(t`records, moved`),
      },
    ],
    keys: [
      { path: 'keys', label: t`API keys`, needs: 'keys.read', Icon: IconKey, keywords: [] },
      {
        path: 'requests',
        label: t`Requests`,
        needs: 'keys.read',
        Icon: IconListDetails,
        keywords: wordsOf(t`refused, errors, log, usage`),
      },
    ],
    settings: [
      {
        path: 'settings',
        label: t`Guild settings`,
        needs: 'settings.change',
        Icon: IconSettings,
        keywords: wordsOf(t`currency, symbol, decimals, overdraft, calendar, time zone`),
      },
      {
        path: 'board',
        label: t`Public board`,
        needs: 'settings.change',
        Icon: IconPresentation,
        keywords: wordsOf(t`public, page, share, leaderboard, embed, publish`),
      },
    ],
  }),
);

/** The entries of the navigation for this person. */
export function navigationOf(guild: Guild): GuildPage[] {
  return guild.role === null ? [ownAccountPage()] : navigationPages().filter((page) => isOpen(guild, page));
}

/** All pages that the person may open, for the palette and the shortcuts: each tab is a page of its own. */
export function openPages(guild: Guild): GuildPage[] {
  return [...navigationPages().flatMap((page) => tabs()[page.path] ?? [page]), ownAccountPage()].filter(
    (page) => isOpen(guild, page),
  );
}

function isOpen(guild: Guild, { needs }: GuildPage): boolean {
  return needs === undefined ? guild.hasOwnAccount : may(guild, needs);
}

/** The address of an entry. An entry with tabs leads to the tab that is open, so that it is the current one. */
export function entryPath({ path }: GuildPage, openPath: string): string {
  const isTab = tabs()[path]?.some((page) => page.path === openPath) ?? false;
  return isTab ? openPath : path;
}

export function guildPageAddress(guildId: string, path: string): string {
  return path === '' ? `/guilds/${guildId}` : `/guilds/${guildId}/${path}`;
}

/** Words that a text lists, with commas between them. */
function wordsOf(list: string): string[] {
  return list.split(/[,、，]\s*/);
}
