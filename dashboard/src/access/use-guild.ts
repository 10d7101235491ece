import { useOutletContext } from 'react-router';
import type { Guild } from '../api/guilds.ts';

/** The guild of the address; for pages behind RequireGuild. */
export function useGuild(): Guild {
  return useOutletContext<Guild>();
}
