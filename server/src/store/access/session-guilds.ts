import type { ManagedGuild, Standing } from '../../domain/model.ts';

/** A guild in a session's row. An earlier version wrote the standing as `role`, and no chat roles. */
interface GuildText {
  guildId: string;
  name: string;
  icon?: string;
  standing?: Standing;
  role?: Standing;
  chatRoleIds?: string[];
}

/** Reads the guilds of a session. Only such lists are ever written; a missing icon is left out of the text. */
export function readGuilds(text: string): ManagedGuild[] {
  return (JSON.parse(text) as GuildText[]).map(({ role = 'member', ...guild }) => ({
    guildId: guild.guildId,
    name: guild.name,
    icon: guild.icon,
    standing: guild.standing ?? role,
    chatRoleIds: guild.chatRoleIds ?? [],
  }));
}
