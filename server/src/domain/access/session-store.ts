import type {
  ChatUser,
  ManagedGuild,
  SealedSession,
  Session,
  SessionChange,
  SignInAttempt,
} from '../model.ts';

/** Limit of the sessions that a search by guild reads. */
export const SESSIONS_LOOKED_AT = 2_000;

/** A person as one of their sessions knows them in a guild. */
export interface SignedInMember extends Pick<ManagedGuild, 'standing' | 'chatRoleIds'> {
  user: ChatUser;
  lastSeenAtMs: number;
}

/** Sessions and pending sign-ins. Tokens are passed as hashes, secrets are passed encrypted. */
export interface SessionStore {
  /**
   * Stores a pending sign-in, and deletes those that had expired when it began. At most `SIGN_INS_UNDER_WAY_MAX` are
   * kept: beyond that the oldest are deleted.
   */
  insertAttempt(attempt: SignInAttempt): Promise<void>;
  /**
   * Returns and deletes an attempt, if it is the browser's own. Another browser gets undefined, and the attempt
   * stays.
   */
  takeAttempt(from: { stateHash: string; browserHash: string }): Promise<SignInAttempt | undefined>;
  /**
   * Stores a session and its person's name and picture. Deletes sessions that had expired by `expiredByMs`, by default
   * its creation, and the person's oldest ones beyond `SESSIONS_PER_USER_MAX`.
   */
  insert(session: Session, expiredByMs?: number): Promise<void>;
  /**
   * Finds a session by the hash of its token, expired ones too. An ended session is not found once its end has
   * resolved.
   */
  find(tokenHash: string): Promise<Session | undefined>;
  /** Moves the time of the last use forward, never back. */
  touch(tokenHash: string, seenAtMs: number): Promise<void>;
  /**
   * Changes the given fields of a session; with `sealedTokens`, only while the session still has those. False when
   * nothing was changed. An ended session stays ended.
   */
  update(tokenHash: string, change: SessionChange, sealedTokens?: string): Promise<boolean>;
  /** Ends one session; with `sealedTokens`, only while it still has those. False when there is none. */
  delete(tokenHash: string, sealedTokens?: string): Promise<boolean>;
  /** Ends all sessions of a person and returns their number. */
  deleteAll(chatId: string): Promise<number>;
  /**
   * The encrypted tokens of unexpired sessions, in the order of their creation after the given one, at most `limit`.
   */
  readSealed(page: {
    after: SealedSession | undefined;
    nowMs: number;
    limit: number;
  }): Promise<SealedSession[]>;
  /**
   * People with an unexpired session whose list of guilds has this guild, those seen last first. Looks at the newest
   * `SESSIONS_LOOKED_AT` sessions. A person with several sessions may occur several times.
   */
  findByGuild(guildId: string, nowMs: number): Promise<SignedInMember[]>;
  /** Those of the given people who have signed in before, with the name and picture of their last sign-in. */
  findUsers(chatIds: readonly string[]): Promise<ChatUser[]>;
}
