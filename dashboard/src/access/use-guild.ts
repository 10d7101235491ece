import { useOutletContext } from 'react-router';
import type { Guild } from '../api/guilds.ts';

/** The guild in the address. Only for pages inside RequireGuild. */
export function useGuild(): Guild {
  return useOutletContext<Guild>();
}
