import type { ChatGuild, ManagedGuild, Standing } from '../model.ts';
import type { ChatPlatform, GuildStore } from '../ports.ts';
import { jsonBytes, SESSION_GUILDS_BYTES_MAX } from './personal-bounds.ts';
import type { RoleStore } from './roles.ts';

const ADMINISTRATOR = 0x8n;
const MANAGE_GUILD = 0x20n;
/** No platform lets a person join more guilds. Further guilds of an answer are ignored. */
const GUILDS_MAX = 1_000;
/** The chat roles of a person are fetched for at most this number of guilds: each is a request to the platform. */
const CHAT_ROLES_ASKED_MAX = 20;

export interface OpenGuildParts {
  platform: ChatPlatform;
  roles: Pick<RoleStore, 'grants'>;
  guildStore: Pick<GuildStore, 'findExisting'>;
}

/**
 * The guilds of a person that they manage, then those that the service knows: these may have granted a role to them or to a chat
 * role, and may show them their own account.
 */
export async function openGuilds(
  { chatId, accessToken }: { chatId: string; accessToken: string },
  { platform, roles, guildStore }: OpenGuildParts,
): Promise<ManagedGuild[]> {
  const guilds = (await platform.fetchGuilds(accessToken)).map(toManaged).slice(0, GUILDS_MAX);
  const members = guilds.filter(({ standing }) => standing === 'member').map(({ guildId }) => guildId);
  const known = await guildStore.findExisting(members);
  const grants = new Map((await roles.grants(chatId, known)).map((grant) => [grant.guildId, grant]));
  const asked = known
    .filter((guildId) => (grants.get(guildId)?.chatRoles.length ?? 0) > 0)
    .slice(0, CHAT_ROLES_ASKED_MAX);
  const answers = await Promise.all(
    asked.map(async (guildId) => [guildId, await platform.fetchChatRoles(accessToken, guildId)] as const),
  );
  const chatRoles = new Map(answers);
  const open = guilds
    .filter(({ guildId, standing }) => standing !== 'member' || known.includes(guildId))
    .map((guild) => ({ ...guild, chatRoleIds: chatRoles.get(guild.guildId) ?? [] }));
  // Guilds in which the person may have a role come first, so that many others never displace them.
  const rank = ({ guildId, standing }: ManagedGuild) =>
    standing !== 'member' ? 0 : grants.has(guildId) ? 1 : 2;
  return withinBound(open.sort((one, other) => rank(one) - rank(other)));
}

/** Drops guilds beyond the size limit. Without them the person can do less, never more. */
function withinBound(guilds: ManagedGuild[]): ManagedGuild[] {
  // The brackets of the list; each guild adds a comma.
  let bytes = 2;
  return guilds.filter((guild) => {
    bytes += jsonBytes(guild) + 1;
    return bytes <= SESSION_GUILDS_BYTES_MAX;
  });
}

function toManaged(guild: ChatGuild): ManagedGuild {
  const { guildId, name, icon } = guild;
  return { guildId, name, icon, standing: standingIn(guild), chatRoleIds: [] };
}

/** The rank of a member, by the bits of their permissions. */
export function standingIn({ isOwner, permissions }: Pick<ChatGuild, 'isOwner' | 'permissions'>): Standing {
  if (isOwner) {
    return 'owner';
  }
  if ((permissions & ADMINISTRATOR) !== 0n) {
    return 'admin';
  }
  return (permissions & MANAGE_GUILD) === 0n ? 'member' : 'manager';
}
