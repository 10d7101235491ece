import type { GuildRef, PastUser } from '../model.ts';

/** A player whom a guild knows by an account or by a record, with the person behind it as far as one is verified. */
export interface Member {
  playerId: string;
  /** The verified name; without one, the name in one of the guild's records. */
  name: string | undefined;
  chatId: string | undefined;
  username: string | undefined;
  /** Other game accounts of the verified person, newest first. */
  pastUsers: PastUser[];
  /** Given when this is an account that a verified person had before. */
  formerOf: { chatId: string; playerId: string; username: string } | undefined;
  balanceUnits: number;
  transactions: number;
}

/**
 * A place in the order of members: accounts by balance, the highest first, then those who have records alone, by the
 * player's id.
 */
export type MemberPosition = { balanceUnits: number; accountNo: number } | { playerId: string };

export interface MemberQuery {
  /** Part of a name, present or past, of a player's id or of a chat id; undefined for everybody. */
  search: string | undefined;
  limit: number;
  after: MemberPosition | undefined;
}

export interface MemberPage {
  members: Member[];
  /** The `after` with which the list goes on; undefined at its end. */
  next: MemberPosition | undefined;
}

/** How many players one page of a search may cost to look at. */
export const MEMBERS_LOOKED_AT_MAX = 10_000;

export interface MemberStore {
  /**
   * One page of the guild's members. Names are compared without regard to case, ids to the letter. A search looks at
   * `MEMBERS_LOOKED_AT_MAX` players and stops there, having found what it found: the next call goes on from `next`.
   * Nobody shows twice along the pages, unless a balance moved meanwhile. Those whom only other guilds know do not exist.
   */
  list(guild: GuildRef, query: MemberQuery): Promise<MemberPage>;
  /** One of them; undefined when the guild does not know the player. */
  find(guild: GuildRef, playerId: string): Promise<Member | undefined>;
}
