import {
  IconArrowsExchange,
  IconCode,
  IconDoorExit,
  IconHistory,
  IconKey,
  IconUserSearch,
} from '@tabler/icons-react';

/** The pages of a guild, in the order of the navigation; the palette finds them too. */
export const guildPages = [
  { path: 'discharges', label: 'Discharges', Icon: IconDoorExit },
  { path: 'transfers', label: 'Transfers', Icon: IconArrowsExchange },
  { path: 'verifications', label: 'Verifications', Icon: IconUserSearch },
  { path: 'audit', label: 'Audit log', Icon: IconHistory },
  { path: 'keys', label: 'API keys', Icon: IconKey },
  { path: 'api', label: 'API', Icon: IconCode },
] as const;
