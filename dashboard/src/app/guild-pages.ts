import {
  IconArrowsExchange,
  IconChartBar,
  IconCode,
  IconCoins,
  IconDoorExit,
  IconHistory,
  IconKey,
  IconSettings,
  IconUserSearch,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { may } from '../access/guild-texts.ts';
import type { Guild } from '../api/guilds.ts';

/** The pages of a guild, in the order of the navigation. The palette finds them by label and keywords. */
const navigationPages = [
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
    keywords: ['members', 'players', 'profiles', 'names'],
  },
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
  {
    path: 'verifications',
    label: 'Verifications',
    needs: 'people.read',
    Icon: IconUserSearch,
    keywords: ['look up', 'users'],
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
    keywords: ['currency', 'symbol', 'decimals', 'overdraft', 'calendar', 'time zone'],
  },
  {
    path: 'api',
    label: 'API',
    needs: 'samples.read',
    Icon: IconCode,
    keywords: ['reference', 'snippets', 'client'],
  },
] as const;

/** The pages that the person may open. */
export function openPages(guild: Guild) {
  return navigationPages.filter(({ needs }) => may(guild, needs));
}

export function guildPageAddress(guildId: string, path: string): string {
  return path === '' ? `/guilds/${guildId}` : `/guilds/${guildId}/${path}`;
}
