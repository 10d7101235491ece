import type { SessionStore } from '../ports.ts';
import type { ChatMembers } from './chat-members.ts';
import type { GuildNames } from './guild-names.ts';

/** The names behind chat accounts. */
export interface ChatNames {
  /**
   * The names of people by chat id: of those who signed in, then the verified names that the guild sees, then the names of its
   * members on the chat platform. Others are missing.
   */
  find(guildId: string, chatIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface ChatNamesParts {
  sessionStore: Pick<SessionStore, 'findUsers'>;
  names: GuildNames;
  members: ChatMembers;
}

export function createChatNames({ sessionStore, names, members }: ChatNamesParts): ChatNames {
  return {
    async find(guildId, chatIds) {
      const found = new Map<string, string>();
      const missing = () => chatIds.filter((chatId) => !found.has(chatId));
      for (const { chatId, name } of await sessionStore.findUsers(chatIds)) {
        found.set(chatId, name);
      }
      if (missing().length > 0) {
        for (const { chatId, username } of await names.find(guildId, { chatIds: missing() })) {
          found.set(chatId, username);
        }
      }
      const unknown = missing();
      const platform = unknown.length > 0 ? await members.find(guildId) : undefined;
      for (const chatId of unknown) {
        const member = platform?.get(chatId);
        if (member !== undefined) {
          found.set(chatId, member.name);
        }
      }
      return found;
    },
  };
}
