import type { GuildRef, PastUser, SortOrder } from '../model.ts';

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
 * A position in the order of members. Sorted by balance: those with accounts, then those with records only, by player
 * id. Sorted by anything else: the number of members before it.
 */
export type MemberPosition =
  | { balanceUnits: number; accountNo: number }
  | { playerId: string }
  | { skipped: number };

export type MemberState = 'verified' | 'unverified' | 'overdrawn';
export type MemberSortKey = 'balance' | 'name' | 'transactions';

export interface MemberFilter {
  /** Part of a present or past name, of a player's id or of a chat id; undefined for all members. */
  search: string | undefined;
  /** Only verified members, those who are not, or those with a balance below zero. */
  state?: MemberState | undefined;
}

export interface MemberQuery extends MemberFilter {
  /** Without it, by balance with the largest first. */
  sortBy?: MemberSortKey | undefined;
  sortOrder?: SortOrder | undefined;
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

/** The number of players that one page of a search looks at, and the largest guild whose members are counted or sorted by name. */
export const MEMBERS_LOOKED_AT_MAX = 10_000;

export interface MemberStore {
  /**
   * One page of the guild's members. Names are compared without regard to case, ids exactly. A search stops after
   * `MEMBERS_LOOKED_AT_MAX` players and returns the matches so far; continue from `next`. Nobody is listed twice
   * along the pages, unless a balance changed in the meantime. People whom only other guilds know are not listed.
   * Sorted by another key than the balance, it rejects with `invalid_input` when the guild has more than
   * `MEMBERS_LOOKED_AT_MAX` accounts.
   */
  list(guild: GuildRef, query: MemberQuery): Promise<MemberPage>;
  /** The number of matching members; undefined when the guild has more than `MEMBERS_LOOKED_AT_MAX` accounts. */
  count(guild: GuildRef, filter: MemberFilter): Promise<number | undefined>;
  /**
   * The players that have one of the texts as their player id, verified chat id, verified name or name in the guild's
   * records, also those whom only other guilds know. Names are compared without regard to case, ids exactly. At most
   * `NAMED_PLAYERS_MAX`.
   */
  findNamed(guild: GuildRef, texts: readonly string[]): Promise<NamedPlayer[]>;
  /** One member; undefined when the guild does not know the player. */
  find(guild: GuildRef, playerId: string): Promise<Member | undefined>;
}
