import { parseActor } from '../access/actors.ts';
import type { Guilds } from '../access/guilds.ts';
import type { RoleStore } from '../access/roles.ts';
import { createCache } from '../cache.ts';
import { DomainError } from '../errors.ts';
import type { Clock, SessionStore } from '../ports.ts';
import type { ChatMembers } from './chat-members.ts';
import type { ChatPictures, Picture } from './chat-pictures.ts';
import type { GuildNames, NamesRequest } from './guild-names.ts';

const GUILDS_CACHED_MAX = 1_000;
const ACCESS_KEPT_MS = 30_000;

/** A person with a picture. */
export interface Avatar {
  chatId: string;
  /** The verified game account; undefined without one. */
  playerId: string | undefined;
  /** Changes with the picture. */
  version: string;
}

export interface FoundPicture {
  version: string;
  /** Undefined when the host does not deliver it now. */
  load(): Promise<Picture | undefined>;
}

/** The pictures of the people of a guild, as the chat platform knows them. */
export interface GuildAvatars {
  /**
   * Those of the accounts whose people have a picture. The guild sees the pictures of its members on the chat platform, of verified
   * people whose names it sees, and of people with access to its pages; other people seem to have none.
   */
  list(guildId: string, request: NamesRequest): Promise<Avatar[]>;
  /** Rejects with `user_not_found` for a person without a picture, and for one whose picture the guild does not see. */
  find(guildId: string, chatId: string): Promise<FoundPicture>;
}

export interface GuildAvatarsParts {
  guilds: Guilds;
  names: GuildNames;
  members: ChatMembers;
  pictures: ChatPictures;
  sessionStore: SessionStore;
  roles: RoleStore;
  clock: Clock;
}

export function createGuildAvatars(parts: GuildAvatarsParts): GuildAvatars {
  const { names, pictures } = parts;
  const peopleWithAccess = createPeopleWithAccess(parts);

  /** The hashes of the pictures that the guild sees, by chat id. */
  async function hashesOf(
    guildId: string,
    { chatIds, verified }: { chatIds: readonly string[]; verified: ReadonlySet<string> },
  ): Promise<Map<string, string>> {
    const members = await parts.members.find(guildId);
    const users = await parts.sessionStore.findUsers(chatIds.filter((chatId) => !members.has(chatId)));
    const needsAccess = users.some(({ chatId }) => !verified.has(chatId));
    const withAccess = needsAccess ? await peopleWithAccess(guildId) : new Set<string>();
    const seen = [
      ...chatIds.flatMap((chatId) => members.get(chatId) ?? []),
      ...users.filter(({ chatId }) => verified.has(chatId) || withAccess.has(chatId)),
    ];
    return new Map(
      seen.flatMap(({ chatId, avatar }) => {
        const hash = pictures.hashOf(avatar);
        return hash === undefined ? [] : [[chatId, hash] as const];
      }),
    );
  }

  return {
    async list(guildId, request) {
      const people = await names.find(guildId, request);
      const verified = new Map(people.map(({ chatId, playerId }) => [chatId, playerId]));
      const chatIds = [...new Set([...verified.keys(), ...(request.chatIds ?? [])])];
      const hashes = await hashesOf(guildId, { chatIds, verified: new Set(verified.keys()) });
      return Array.from(hashes, ([chatId, version]) => ({ chatId, version, playerId: verified.get(chatId) }));
    },
    async find(guildId, chatId) {
      const verified = new Set((await names.find(guildId, { chatIds: [chatId] })).map((one) => one.chatId));
      const version = (await hashesOf(guildId, { chatIds: [chatId], verified })).get(chatId);
      if (version === undefined) {
        throw new DomainError('user_not_found');
      }
      return { version, load: () => pictures.find({ kind: 'avatars', id: chatId, hash: version }) };
    },
  };
}

/** The chat ids of those who have or gave a role in a guild, or are signed in as its members. Cached for half a minute. */
function createPeopleWithAccess({ guilds, roles, sessionStore, clock }: GuildAvatarsParts) {
  const cache = createCache<{ chatIds: ReadonlySet<string>; untilMs: number }>(GUILDS_CACHED_MAX);
  return async (guildId: string): Promise<ReadonlySet<string>> => {
    const cached = cache.get(guildId);
    if (cached !== undefined && clock.monotonicMs() < cached.untilMs) {
      return cached.chatIds;
    }
    const guild = await guilds.find(guildId);
    const [people, signedIn] = await Promise.all([
      roles.people(guild),
      sessionStore.findByGuild(guildId, clock.nowMs()),
    ]);
    const chatIds = new Set([
      ...people.flatMap(({ chatId, invitedBy }) => [chatId, parseActor(invitedBy).id]),
      ...signedIn.map(({ user }) => user.chatId),
    ]);
    cache.set(guildId, { chatIds, untilMs: clock.monotonicMs() + ACCESS_KEPT_MS });
    return chatIds;
  };
}
