import { DomainError } from '../errors.ts';
import type { ManagedGuild, Session } from '../model.ts';
import { openGuilds } from './managed-guilds.ts';
import type { RoleStore } from './roles.ts';
import { hashOfSession, isWellFormedToken } from './session-token.ts';
import { createSessionTokens, type SessionTokenParts } from './session-tokens.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const SESSION_LIFETIME_MS = 12 * HOUR_MS;
export const SESSION_IDLE_MS = 2 * HOUR_MS;
/** The last sight of a session is exact to this, so that reading a page does not cost a write. */
const TOUCH_EVERY_MS = MINUTE_MS;
/** A token about to expire is replaced before it fails on the way. */
const REFRESH_AHEAD_MS = MINUTE_MS;
/** Each attempt after the first one is made with tokens that another process got meanwhile. */
const ATTEMPTS_MAX = 3;

export interface Sessions {
  /** Turns a browser's token into its session. Unknown, ended, expired and idle ones fail alike. */
  find(token: string | undefined): Promise<Session>;
  /** The same, but not as a sign of life: whatever looks by itself must not keep an idle session open. */
  peek(token: string | undefined): Promise<Session>;
  end(session: Session): Promise<void>;
  /** Ends every session of the same person. */
  endAll(session: Session): Promise<void>;
  /**
   * Asks the platform which guilds the person manages or may have a role in right now, and remembers it where the store can be written. When the platform takes the
   * person's tokens no more, and no other process got new ones, the session ends: they have to sign in again.
   */
  askManagedGuilds(session: Session): Promise<readonly ManagedGuild[]>;
}

export function createSessions(parts: SessionTokenParts & { roles: Pick<RoleStore, 'grants'> }): Sessions {
  const { store, platform, clock } = parts;
  const tokens = createSessionTokens(parts);

  async function askPlatform(session: Session): Promise<ManagedGuild[]> {
    const present = tokens.open(session);
    if (present.expiresAtMs > clock.nowMs() + REFRESH_AHEAD_MS) {
      try {
        return await openGuilds({ chatId: session.user.chatId, accessToken: present.accessToken }, parts);
      } catch (error) {
        // A token may be taken back before its time; a refresh settles whether the person was, too.
        if (!isRefusal(error)) {
          throw error;
        }
      }
    }
    const fresh = await tokens.refresh(session);
    return openGuilds({ chatId: session.user.chatId, accessToken: fresh.accessToken }, parts);
  }

  async function peek(token: string | undefined): Promise<Session> {
    const session = isWellFormedToken(token) ? await tokens.find(hashOfSession(token, platform)) : undefined;
    if (session === undefined || hasEnded(session, clock.nowMs())) {
      throw new DomainError('session_required');
    }
    return session;
  }

  return {
    async find(token) {
      const session = await peek(token);
      const nowMs = clock.nowMs();
      if (nowMs - session.lastSeenAtMs >= TOUCH_EVERY_MS) {
        // The session just looks idle for longer than it was.
        await unlessUnavailable(() => store.touch(session.tokenHash, nowMs));
      }
      return session;
    },
    peek,
    async end(session) {
      await store.delete(session.tokenHash);
    },
    async endAll(session) {
      await store.deleteAll(session.user.chatId);
    },
    async askManagedGuilds(session) {
      let current = session;
      for (let attempt = 1; ; attempt += 1) {
        try {
          const guilds = await askPlatform(current);
          await unlessUnavailable(() => store.update(session.tokenHash, { guilds }));
          return guilds;
        } catch (error) {
          if (!isRefusal(error)) {
            throw error;
          }
          const renewed = await tokens.endUnlessRenewed(current);
          if (renewed === undefined || attempt === ATTEMPTS_MAX) {
            throw new DomainError('session_required', { cause: error });
          }
          current = renewed;
        }
      }
    },
  };
}

/** Where nobody can sign in, nobody is: sessions from before stay where they are and open nothing. */
export function createNoSessions(): Sessions {
  const refuse = () => Promise.reject(new DomainError('session_required'));
  return { find: refuse, peek: refuse, end: refuse, endAll: refuse, askManagedGuilds: refuse };
}

function hasEnded({ expiresAtMs, lastSeenAtMs }: Session, nowMs: number): boolean {
  return expiresAtMs <= nowMs || lastSeenAtMs + SESSION_IDLE_MS <= nowMs;
}

/** Writes something down that can do without: a full disk must not keep people from reading. */
async function unlessUnavailable(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'store_unavailable')) {
      throw error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'platform_refused';
}
