import { useQuery } from '@tanstack/react-query';
import type { Guild } from '../api/guilds.ts';
import { webhooksQuery } from '../api/webhooks.ts';
import { StoppedNotice } from '../webhooks/StoppedNotice.tsx';

/** Tells whoever comes by that deliveries have ended. Whether all is well cannot be told without an answer, so then it is silent. */
export function StoppedWebhooks({ guild }: { guild: Guild }) {
  const { data } = useQuery({ ...webhooksQuery(guild.guildId), refetchInterval: false });
  return data && <StoppedNotice webhooks={data.webhooks} to={`/guilds/${guild.guildId}/webhooks`} />;
}
