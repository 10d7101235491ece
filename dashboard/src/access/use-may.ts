import type { Guild } from '../api/guilds.ts';
import { may } from './guild-texts.ts';
import { useGuild } from './use-guild.ts';

/** True when the person may do this in the guild of the address. Only for pages inside RequireGuild. */
export function useMay(action: Guild['may'][number]): boolean {
  return may(useGuild(), action);
}
