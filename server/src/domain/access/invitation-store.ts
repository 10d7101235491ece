import type { Change, GuildRef } from '../model.ts';
import type { Role } from './roles.ts';

/** Limit of a guild's valid invitations. */
export const INVITATIONS_MAX = 50;

/** A link that gives a role to people who open it. Its token is shown once and stored as a hash. */
export interface Invitation {
  invitationId: string;
  role: Role;
  /** The number of people who may still accept it. */
  usesLeft: number;
  /** The actor who made it. */
  createdBy: string;
  createdAtMs: number;
  expiresAtMs: number;
}

export interface NewInvitation extends Invitation {
  tokenHash: string;
}

/** A person who accepts an invitation. */
export interface Acceptance {
  tokenHash: string;
  chatId: string;
}

export interface InvitationStore {
  /** The invitations that have not expired by then, newest first. */
  list(guild: GuildRef, nowMs: number): Promise<Invitation[]>;
  /** Deletes expired invitations of the guild. Rejects with `invalid_input` beyond `INVITATIONS_MAX`. */
  insert(guild: GuildRef, invitation: NewInvitation, change: Change): Promise<void>;
  /** False when there is no such invitation. */
  delete(guild: GuildRef, invitationId: string, change: Change): Promise<boolean>;
  /**
   * Gives the role to the person and uses the invitation once, in one commit; the last use deletes it. A person who
   * was invited with this role or a higher one keeps it, and the invitation is not used. Returns their role by
   * invitation, or undefined when the guild has no valid invitation with this token.
   */
  accept(guild: GuildRef, acceptance: Acceptance, change: Change): Promise<Role | undefined>;
}
