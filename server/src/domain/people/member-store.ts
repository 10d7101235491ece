import type { GuildRef, PastUser } from '../model.ts';

/** A player who has an account or a record in a guild, with the verified person if there is one. */
export interface Member {
  playerId: string;
  /** The verified name; without one, the name in one of the guild's records. */
  name: string | undefined;
  chatId: string | undefined;
  username: string | undefined;
  /** Other game accounts of the verified person, newest first. */
  pastUsers: PastUser[];
  /** Set when a verified person had this account before. */
  formerOf: { chatId: string; playerId: string; username: string } | undefined;
  balanceUnits: number;
  transactions: number;
}

/**
 * A position in the order of members: those with accounts by descending balance, then those with records only, by
 * player id.
 */
export type MemberPosition = { balanceUnits: number; accountNo: number } | { playerId: string };

export interface MemberQuery {
  /** Part of a present or past name, of a player's id or of a chat id; undefined for all members. */
  search: string | undefined;
  limit: number;
  after: MemberPosition | undefined;
}

export interface MemberPage {
  members: Member[];
  /** The `after` of the next page; undefined at the end. */
  next: MemberPosition | undefined;
}

/** A player whom a text may name, with the verified person if there is one. */
export interface NamedPlayer {
  playerId: string;
  chatId: string | undefined;
  username: string | undefined;
  /** The names in the guild's records among the given texts; of a verified player too. */
  recordNames: string[];
  /** False when only other guilds know the player. */
  isMember: boolean;
}

/** The number of players that one look-up of texts returns. */
export const NAMED_PLAYERS_MAX = 5_000;

/** The number of players that one page of a search looks at. */
export const MEMBERS_LOOKED_AT_MAX = 10_000;

export interface MemberStore {
  /**
   * One page of the guild's members. Names are compared without regard to case, ids exactly. A search stops after
   * `MEMBERS_LOOKED_AT_MAX` players and returns the matches so far; continue from `next`. Nobody is listed twice
   * along the pages, unless a balance changed in the meantime. People whom only other guilds know are not listed.
   */
  list(guild: GuildRef, query: MemberQuery): Promise<MemberPage>;
  /**
   * The players that have one of the texts as their player id, verified chat id, verified name or name in the guild's
   * records, also those whom only other guilds know. Names are compared without regard to case, ids exactly. At most
   * `NAMED_PLAYERS_MAX`.
   */
  findNamed(guild: GuildRef, texts: readonly string[]): Promise<NamedPlayer[]>;
  /** One member; undefined when the guild does not know the player. */
  find(guild: GuildRef, playerId: string): Promise<Member | undefined>;
}
