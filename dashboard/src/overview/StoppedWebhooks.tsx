import { useQuery } from '@tanstack/react-query';
import type { Guild } from '../api/guilds.ts';
import { webhooksQuery } from '../api/webhooks.ts';
import { StoppedNotice } from '../webhooks/StoppedNotice.tsx';

/** Warns that webhooks no longer deliver. Shows nothing when the webhooks could not be loaded. */
export function StoppedWebhooks({ guild }: { guild: Guild }) {
  const { data } = useQuery({ ...webhooksQuery(guild.guildId), refetchInterval: false });
  return data && <StoppedNotice webhooks={data.webhooks} to={`/guilds/${guild.guildId}/webhooks`} />;
}
