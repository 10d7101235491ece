import { DomainError } from '../domain/errors.ts';
import type { ChatDirectory, ChatMember } from '../domain/people/chat-directory.ts';
import { readMembers, readRoles } from './answers.ts';
import { createBoundedFetch, PLATFORM_TIMEOUT_MS } from './bounded-fetch.ts';

/** The largest page that the platform returns. */
const PAGE_MEMBERS = 1_000;
/** Larger guilds are refused: reading them would take longer than a person waits. */
const MEMBERS_MAX = 50_000;

export interface DirectoryOptions {
  /** The base of `/guilds/{guildId}/roles` and `/guilds/{guildId}/members`. */
  apiUrl: string;
  botToken: string;
  timeoutMs?: number | undefined;
}

/** Reads roles and members with the token of a bot, by Discord's routes. */
export function createChatDirectory(options: DirectoryOptions): ChatDirectory {
  const { apiUrl, botToken, timeoutMs = PLATFORM_TIMEOUT_MS } = options;
  const boundedFetch = createBoundedFetch(timeoutMs);

  async function fetchJson(path: string): Promise<unknown> {
    const headers = { accept: 'application/json', authorization: `Bot ${botToken}` };
    const response = await boundedFetch(`${apiUrl}${path}`, { method: 'GET', headers, redirect: 'manual' });
    if (response.status !== 200) {
      // 401 for a wrong token; 403 and 404 when the bot is no member, or may not list members.
      const isRefusal = [401, 403, 404].includes(response.status);
      throw new DomainError(isRefusal ? 'platform_refused' : 'platform_unavailable', {
        cause: new Error(`status ${response.status}`),
      });
    }
    return response.json();
  }

  return {
    fetchRoles: (guildId) =>
      translated(async () => readRoles(await fetchJson(`/guilds/${encodeURIComponent(guildId)}/roles`))),
    fetchMembers: (guildId) =>
      translated(async () => {
        const members: ChatMember[] = [];
        let after = '0';
        for (;;) {
          const query = new URLSearchParams({ limit: String(PAGE_MEMBERS), after });
          const page = readMembers(
            await fetchJson(`/guilds/${encodeURIComponent(guildId)}/members?${query}`),
            PAGE_MEMBERS,
          );
          members.push(...page);
          const last = page.at(-1);
          if (page.length < PAGE_MEMBERS || last === undefined) {
            return members;
          }
          if (members.length >= MEMBERS_MAX || last.chatId === after) {
            throw new DomainError('invalid_input', {
              detail: `a guild with more than ${MEMBERS_MAX} members cannot be read by role`,
            });
          }
          after = last.chatId;
        }
      }),
  };
}

/** Translates failures to codes of the port. The message never contains the token. */
async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new DomainError('platform_unavailable', { cause: new Error(reason), retryAfterSeconds: 5 });
  }
}
