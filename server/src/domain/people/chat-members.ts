import { createCache } from '../cache.ts';
import { DomainError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import type { ChatDirectory, ChatMember } from './chat-directory.ts';

/** Members that each of the two generations of the cache holds, of all guilds together. */
const MEMBERS_CACHED_MAX = 50_000;
const KEPT_MS = 10 * 60_000;
const UNAVAILABLE_KEPT_MS = 60_000;
/** A page does not wait longer than this for names and pictures. The list is then complete for the next one. */
const WAIT_MS = 2_000;

type Members = ReadonlyMap<string, ChatMember>;
const NOBODY: Members = new Map();

/** The members of guilds on the chat platform, cached for ten minutes. */
export interface ChatMembers {
  /**
   * The members by chat id. Nobody without a bot on the platform, when the platform refuses or fails, and while the list is
   * still being read after two seconds. Never rejects.
   */
  find(guildId: string): Promise<Members>;
}

export interface ChatMembersParts {
  directory: ChatDirectory | undefined;
  clock: Clock;
  pause: (durationMs: number) => Promise<unknown>;
}

export function createChatMembers({ directory, clock, pause }: ChatMembersParts): ChatMembers {
  const cache = createCache<{ members: Members; untilMs: number }>(MEMBERS_CACHED_MAX);
  const underWay = new Map<string, Promise<Members>>();

  function keep(guildId: string, members: Members, keptMs: number): Members {
    cache.set(guildId, { members, untilMs: clock.monotonicMs() + keptMs }, members.size + 1);
    return members;
  }

  async function read(guildId: string, from: ChatDirectory): Promise<Members> {
    try {
      const members = await from.fetchMembers(guildId);
      return keep(guildId, new Map(members.map((member) => [member.chatId, member])), KEPT_MS);
    } catch (error) {
      const isRefusal = error instanceof DomainError && error.code !== 'platform_unavailable';
      return keep(guildId, NOBODY, isRefusal ? KEPT_MS : UNAVAILABLE_KEPT_MS);
    }
  }

  return {
    async find(guildId) {
      if (directory === undefined) {
        return NOBODY;
      }
      const cached = cache.get(guildId);
      if (cached !== undefined && clock.monotonicMs() < cached.untilMs) {
        return cached.members;
      }
      const asked = underWay.get(guildId) ?? read(guildId, directory).finally(() => underWay.delete(guildId));
      underWay.set(guildId, asked);
      const late = cached?.members ?? NOBODY;
      return Promise.race([asked, pause(WAIT_MS).then(() => late)]);
    },
  };
}
