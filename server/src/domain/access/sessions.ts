import { DomainError } from '../errors.ts';
import type { ManagedGuild, Session } from '../model.ts';
import { type OpenGuildParts, openGuilds } from './managed-guilds.ts';
import { hashOfSession, isWellFormedToken } from './session-token.ts';
import { createSessionTokens, type SessionTokenParts } from './session-tokens.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const SESSION_LIFETIME_MS = 12 * HOUR_MS;
export const SESSION_IDLE_MS = 2 * HOUR_MS;
/** `seenAtMs` is exact to this interval, so that reading a page does not cost a write. */
const TOUCH_EVERY_MS = MINUTE_MS;
/** A token is replaced this long before it expires, so that it does not expire during a request. */
const REFRESH_AHEAD_MS = MINUTE_MS;
/** Each attempt after the first uses tokens that another process got in the meantime. */
const ATTEMPTS_MAX = 3;

export interface Sessions {
  /** Finds the session of a browser's token. Unknown, ended, expired and idle sessions fail with the same error. */
  find(token: string | undefined): Promise<Session>;
  /**
   * The same, but does not count as activity: requests that a page sends by itself must not keep an idle session
   * open.
   */
  peek(token: string | undefined): Promise<Session>;
  end(session: Session): Promise<void>;
  /** Ends every session of the same person. */
  endAll(session: Session): Promise<void>;
  /**
   * Fetches from the platform the guilds that the person manages or may have a role in, and saves the list if the
   * store can be written. When the platform no longer accepts the person's tokens, and no other process has new ones,
   * the session ends and they have to sign in again.
   */
  askManagedGuilds(session: Session): Promise<readonly ManagedGuild[]>;
}

export function createSessions(parts: SessionTokenParts & OpenGuildParts): Sessions {
  const { store, platform, clock } = parts;
  const tokens = createSessionTokens(parts);

  async function askPlatform(session: Session): Promise<ManagedGuild[]> {
    const present = tokens.open(session);
    if (present.expiresAtMs > clock.nowMs() + REFRESH_AHEAD_MS) {
      try {
        return await openGuilds({ chatId: session.user.chatId, accessToken: present.accessToken }, parts);
      } catch (error) {
        // An access token may be revoked early. The refresh shows whether the person's consent was revoked too.
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
        // If this write fails, the session only looks idle for longer than it was.
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

/** For a service without sign-in: stored sessions are kept and open nothing. */
export function createNoSessions(): Sessions {
  const refuse = () => Promise.reject(new DomainError('session_required'));
  return { find: refuse, peek: refuse, end: refuse, endAll: refuse, askManagedGuilds: refuse };
}

function hasEnded({ expiresAtMs, lastSeenAtMs }: Session, nowMs: number): boolean {
  return expiresAtMs <= nowMs || lastSeenAtMs + SESSION_IDLE_MS <= nowMs;
}

/** Runs a write that may be skipped: a full disk must not keep people from reading. */
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
