import type { ChatGuild, ChatUser } from '../domain/model.ts';
import type { ChatMember, ChatRole } from '../domain/people/chat-directory.ts';

const ID_LENGTH_MAX = 128;
const NAME_LENGTH_MAX = 256;
/** A bit field in decimal. About sixty bits are in use today. */
const PERMISSIONS = /^\d{1,64}$/;
const GUILDS_MAX = 5_000;
const CHAT_ROLES_MAX = 1_000;

/** Converts the answer about a person. Throws when it is invalid. */
export function readUser(answer: unknown): ChatUser {
  const user = readObject(answer);
  return {
    chatId: readText(user.id, ID_LENGTH_MAX),
    name: readText(user.global_name ?? user.username, NAME_LENGTH_MAX),
    avatar: readOptional(user.avatar),
  };
}

/** Converts the answer about a person's guilds. Throws when it is invalid. */
export function readGuilds(answer: unknown): ChatGuild[] {
  if (!Array.isArray(answer) || answer.length > GUILDS_MAX) {
    throw new Error('the answer is not a list of guilds');
  }
  return answer.map((entry) => {
    const guild = readObject(entry);
    const permissions = readText(guild.permissions, NAME_LENGTH_MAX);
    if (!PERMISSIONS.test(permissions)) {
      throw new Error('the answer has permissions that are no number');
    }
    return {
      guildId: readText(guild.id, ID_LENGTH_MAX),
      name: readText(guild.name, NAME_LENGTH_MAX),
      icon: readOptional(guild.icon),
      isOwner: guild.owner === true,
      permissions: BigInt(permissions),
    };
  });
}

/** Converts the answer about a member of a guild to the ids of their roles. Throws when it is invalid. */
export function readChatRoles(answer: unknown): string[] {
  const { roles } = readObject(answer);
  if (!Array.isArray(roles) || roles.length > CHAT_ROLES_MAX) {
    throw new Error('the answer has no list of roles');
  }
  return roles.map((role) => readText(role, ID_LENGTH_MAX));
}

/** Converts the answer about a guild's roles. Throws when it is invalid. */
export function readRoles(answer: unknown): ChatRole[] {
  if (!Array.isArray(answer) || answer.length > CHAT_ROLES_MAX) {
    throw new Error('the answer is not a list of roles');
  }
  return answer.map((entry) => {
    const role = readObject(entry);
    return { chatRoleId: readText(role.id, ID_LENGTH_MAX), name: readText(role.name, NAME_LENGTH_MAX) };
  });
}

/** Converts one page of a guild's members. Throws when it is invalid. */
export function readMembers(answer: unknown, countMax: number): ChatMember[] {
  if (!Array.isArray(answer) || answer.length > countMax) {
    throw new Error('the answer is not a page of members');
  }
  return answer.map((entry) => {
    const member = readObject(entry);
    const { chatId, name, avatar } = readUser(member.user);
    return { chatId, name: readOptional(member.nick) ?? name, avatar, chatRoleIds: readChatRoles(member) };
  });
}

function readObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('the answer is not an object');
  }
  return { ...value };
}

/**
 * Accepts any text, because an unusual name must not keep a person out. Only lone surrogates are replaced: they
 * cannot be stored.
 */
function readText(value: unknown, lengthMax: number): string {
  if (typeof value !== 'string' || value === '' || value.length > lengthMax) {
    throw new Error('the answer lacks a text');
  }
  return value.toWellFormed();
}

function readOptional(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : readText(value, NAME_LENGTH_MAX);
}
