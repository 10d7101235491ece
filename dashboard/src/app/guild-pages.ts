import {
  IconArrowsExchange,
  IconChartBar,
  IconCode,
  IconCoins,
  IconDoorExit,
  IconHistory,
  IconKey,
  IconUserSearch,
} from '@tabler/icons-react';

/** The pages of a guild, in the order of the navigation; the palette finds them too, by other words as well. */
export const guildPages = [
  { path: '', label: 'Overview', Icon: IconChartBar, keywords: ['chart'] },
  { path: 'ledger', label: 'Ledger', Icon: IconCoins, keywords: ['transactions', 'money', 'balance'] },
  { path: 'discharges', label: 'Discharges', Icon: IconDoorExit, keywords: ['records', 'left'] },
  { path: 'transfers', label: 'Transfers', Icon: IconArrowsExchange, keywords: ['records', 'moved'] },
  { path: 'verifications', label: 'Verifications', Icon: IconUserSearch, keywords: ['people', 'users'] },
  { path: 'audit', label: 'Audit log', Icon: IconHistory, keywords: ['changes', 'history'] },
  { path: 'keys', label: 'API keys', Icon: IconKey, keywords: [] },
  { path: 'api', label: 'API', Icon: IconCode, keywords: ['reference', 'snippets', 'client'] },
] as const;

export function guildPageAddress(guildId: string, path: string): string {
  return path === '' ? `/guilds/${guildId}` : `/guilds/${guildId}/${path}`;
}
