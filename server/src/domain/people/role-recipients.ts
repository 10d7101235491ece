import type { Guilds } from '../access/guilds.ts';
import { DomainError } from '../errors.ts';
import type { ChatDirectory, ChatRole } from './chat-directory.ts';
import { RECIPIENTS_MAX, type Recipient, type Recipients } from './recipients.ts';

/** Members without a verification that are returned by name. */
const UNVERIFIED_SHOWN_MAX = 20;

export interface RolePeople {
  people: Recipient[];
  /** Members with the role who cannot get money, because no player is known for them. At most `UNVERIFIED_SHOWN_MAX` names. */
  unverified: { count: number; names: string[] };
}

/** The people of a chat role, as recipients of money. */
export interface RoleRecipients {
  /** The guild's chat roles, ordered by name; undefined when the service has no bot on the platform. */
  roles(guildId: string): Promise<ChatRole[] | undefined>;
  /** Rejects with `invalid_input` when more than `RECIPIENTS_MAX` members have the role. */
  find(guildId: string, chatRoleId: string): Promise<RolePeople>;
}

export function createRoleRecipients(parts: {
  directory: ChatDirectory | undefined;
  recipients: Recipients;
  guilds: Guilds;
}): RoleRecipients {
  const { directory, recipients, guilds } = parts;
  return {
    async roles(guildId) {
      await guilds.find(guildId);
      const roles = await directory?.fetchRoles(guildId);
      return roles
        ?.filter(({ chatRoleId }) => !isEverybody(chatRoleId, guildId))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    async find(guildId, chatRoleId) {
      await guilds.find(guildId);
      if (directory === undefined) {
        throw new DomainError('role_not_found');
      }
      const members = (await directory.fetchMembers(guildId)).filter(({ chatRoleIds }) =>
        chatRoleIds.includes(chatRoleId),
      );
      if (members.length > RECIPIENTS_MAX) {
        throw new DomainError('invalid_input', {
          detail: `${members.length} members have this role, and a payout takes at most ${RECIPIENTS_MAX} people`,
        });
      }
      const chatIds = members.map(({ chatId }) => chatId);
      const found = chatIds.length === 0 ? [] : await recipients.find(guildId, chatIds);
      const people = found.map((candidates, index) =>
        candidates.find(({ chatId }) => chatId === chatIds[index]),
      );
      const without = members.filter((_, index) => people[index] === undefined);
      return {
        people: people.flatMap((person) => person ?? []),
        unverified: {
          count: without.length,
          names: without.slice(0, UNVERIFIED_SHOWN_MAX).map(({ name }) => name),
        },
      };
    },
  };
}

/** The role that every member has. It has the id of the guild, and no member lists it. */
function isEverybody(chatRoleId: string, guildId: string): boolean {
  return chatRoleId === guildId;
}
