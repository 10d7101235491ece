import { queryOptions } from '@tanstack/react-query';
import { readChoice, readOptionalText, readRecords, readText } from './read.ts';
import { request } from './request.ts';

const roles = ['owner', 'admin', 'manager'] as const;
const states = ['ready', 'unknown', 'no-plan'] as const;

export interface Guild {
  guildId: string;
  name: string;
  role: (typeof roles)[number];
  /** Whether keys can be made for it, or what is missing: the guild itself, or its plan. */
  state: (typeof states)[number];
  plan: string | null;
  planUntil: string | null;
}

export const guildsQuery = queryOptions({
  queryKey: ['guilds'],
  queryFn: fetchGuilds,
  refetchOnWindowFocus: true,
});

async function fetchGuilds(): Promise<Guild[]> {
  const { data } = await request('/guilds');
  return readRecords(data).map(readGuild).sort(byReadinessThenName);
}

function readGuild(record: Record<string, unknown>): Guild {
  const guildId = readText(record.guildId);
  return {
    guildId,
    name: readText(record.name) || guildId,
    role: readChoice(record.role, roles, 'manager'),
    state: readChoice(record.state, states, 'unknown'),
    plan: readOptionalText(record.plan),
    planUntil: readOptionalText(record.planUntil),
  };
}

// The guilds one can work with come first.
function byReadinessThenName(one: Guild, other: Guild): number {
  const rank = (guild: Guild) => ['ready', 'no-plan', 'unknown'].indexOf(guild.state);
  return rank(one) - rank(other) || one.name.localeCompare(other.name);
}
