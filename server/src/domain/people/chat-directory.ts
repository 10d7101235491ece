/** A role of a guild on the chat platform. */
export interface ChatRole {
  chatRoleId: string;
  name: string;
}

/** A member of a guild on the chat platform. */
export interface ChatMember {
  chatId: string;
  name: string;
  /** Hash of the picture, as the chat platform gives it. */
  avatar: string | undefined;
  chatRoleIds: readonly string[];
}

/**
 * Roles and members of guilds, as the operator's bot on the chat platform sees them. Rejects with `platform_refused`
 * when the bot is no member of the guild or may not read it, and with `platform_unavailable` when the platform is
 * unreachable, slow, overloaded or answers nonsense.
 */
export interface ChatDirectory {
  fetchRoles(guildId: string): Promise<ChatRole[]>;
  /** Rejects with `invalid_input` for a guild with more members than can be read. */
  fetchMembers(guildId: string): Promise<ChatMember[]>;
}
