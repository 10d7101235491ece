import type { Guild } from '../api/guilds.ts';
import { may } from './guild-texts.ts';
import { useGuild } from './use-guild.ts';

/** Whether the person may do something with the guild of the address; for pages behind RequireGuild. */
export function useMay(action: Guild['may'][number]): boolean {
  return may(useGuild(), action);
}
