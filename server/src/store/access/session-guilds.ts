import type { ManagedGuild, Standing } from '../../domain/model.ts';

/** What a session's row says of a guild. A version before wrote the standing as `role`, and no chat roles. */
interface GuildText {
  guildId: string;
  name: string;
  icon?: string;
  standing?: Standing;
  role?: Standing;
  chatRoleIds?: string[];
}

/** The guilds of a session. Only such lists are ever written; a missing icon is left out of the text. */
export function readGuilds(text: string): ManagedGuild[] {
  return (JSON.parse(text) as GuildText[]).map(({ role = 'member', ...guild }) => ({
    guildId: guild.guildId,
    name: guild.name,
    icon: guild.icon,
    standing: guild.standing ?? role,
    chatRoleIds: guild.chatRoleIds ?? [],
  }));
}
