import type { ChatGuild, ManagedGuild, ManagerRole } from '../model.ts';

const ADMINISTRATOR = 0x8n;
const MANAGE_GUILD = 0x20n;
/** No platform lets a person into more; an answer beyond it is cut rather than kept. */
const MANAGED_GUILDS_MAX = 1_000;

/** Those of a person's guilds that they may make keys for. */
export function managedGuilds(guilds: readonly ChatGuild[]): ManagedGuild[] {
  return guilds
    .flatMap((guild) => {
      const role = roleIn(guild);
      const { guildId, name, icon } = guild;
      return role === undefined ? [] : [{ guildId, name, icon, role }];
    })
    .slice(0, MANAGED_GUILDS_MAX);
}

function roleIn({ isOwner, permissions }: ChatGuild): ManagerRole | undefined {
  if (isOwner) {
    return 'owner';
  }
  if ((permissions & ADMINISTRATOR) !== 0n) {
    return 'admin';
  }
  return (permissions & MANAGE_GUILD) === 0n ? undefined : 'manager';
}
