import { DomainError } from './errors.ts';
import { managedGuilds } from './managed-guilds.ts';
import type { ChatTokens, ManagedGuild, Session } from './model.ts';
import type { ChatPlatform, Clock, SessionStore } from './ports.ts';
import type { Sealer } from './sealing.ts';
import { hashOfToken, isWellFormedToken } from './session-token.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const SESSION_LIFETIME_MS = 12 * HOUR_MS;
export const SESSION_IDLE_MS = 2 * HOUR_MS;
/** A person with more browsers than this loses the session begun first. */
export const SESSIONS_PER_USER_MAX = 20;
/** The last sight of a session is exact to this, so that reading a page does not cost a write. */
const TOUCH_EVERY_MS = MINUTE_MS;
/** A token about to expire is replaced before it fails on the way. */
const REFRESH_AHEAD_MS = MINUTE_MS;

export interface Sessions {
  /** Turns a browser's token into its session. Unknown, ended, expired and idle ones fail alike. */
  find(token: string | undefined): Promise<Session>;
  end(session: Session): Promise<void>;
  /** Ends every session of the same person. */
  endAll(session: Session): Promise<void>;
  /**
   * Asks the platform which guilds the person manages right now, and remembers it. When the platform takes the
   * person's tokens no more, the session ends: they have to sign in again.
   */
  askManagedGuilds(session: Session): Promise<readonly ManagedGuild[]>;
}

export interface SessionParts {
  store: SessionStore;
  platform: ChatPlatform;
  sealer: Sealer;
  clock: Clock;
}

export function createSessions(parts: SessionParts): Sessions {
  const { store, platform, clock } = parts;
  const refreshOnce = createRefresher(parts);

  async function askPlatform(session: Session): Promise<ManagedGuild[]> {
    const tokens = openTokens(parts.sealer, session);
    if (tokens.expiresAtMs > clock.nowMs() + REFRESH_AHEAD_MS) {
      try {
        return managedGuilds(await platform.fetchGuilds(tokens.accessToken));
      } catch (error) {
        // A token may be taken back before its time; a refresh settles whether the person was, too.
        if (!isRefusal(error)) {
          throw error;
        }
      }
    }
    const fresh = await refreshOnce(session);
    return managedGuilds(await platform.fetchGuilds(fresh.accessToken));
  }

  return {
    async find(token) {
      const session = isWellFormedToken(token) ? await store.find(hashOfToken(token)) : undefined;
      const nowMs = clock.nowMs();
      if (session === undefined || hasEnded(session, nowMs)) {
        throw new DomainError('session_required');
      }
      if (nowMs - session.lastSeenAtMs >= TOUCH_EVERY_MS) {
        await touch(store, session, nowMs);
      }
      return session;
    },
    async end(session) {
      await store.delete(session.tokenHash);
    },
    async endAll(session) {
      await store.deleteAll(session.user.chatId);
    },
    async askManagedGuilds(session) {
      try {
        const guilds = await askPlatform(session);
        await store.update(session.tokenHash, { guilds });
        return guilds;
      } catch (error) {
        if (!isRefusal(error)) {
          throw error;
        }
        await store.delete(session.tokenHash);
        throw new DomainError('session_required', { cause: error });
      }
    },
  };
}

/** Where nobody can sign in, nobody is: sessions from before stay where they are and open nothing. */
export function createNoSessions(): Sessions {
  const refuse = () => Promise.reject(new DomainError('session_required'));
  return { find: refuse, end: refuse, endAll: refuse, askManagedGuilds: refuse };
}

function hasEnded({ expiresAtMs, lastSeenAtMs }: Session, nowMs: number): boolean {
  return expiresAtMs <= nowMs || lastSeenAtMs + SESSION_IDLE_MS <= nowMs;
}

/** A full disk must not keep people from reading: the session just looks idle for longer than it was. */
async function touch(store: SessionStore, session: Session, nowMs: number): Promise<void> {
  try {
    await store.touch(session.tokenHash, nowMs);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'store_unavailable')) {
      throw error;
    }
  }
}

/**
 * A refresh token often serves once, so requests that find the same session's tokens expired share one refresh, and
 * each refresh begins by looking whether somebody else was faster. Holds one entry per refresh under way.
 */
function createRefresher({ store, platform, sealer, clock }: SessionParts) {
  const underWay = new Map<string, Promise<ChatTokens>>();

  async function refresh(seen: Session): Promise<ChatTokens> {
    const session = await store.find(seen.tokenHash);
    if (session === undefined) {
      throw new DomainError('session_required');
    }
    const tokens = openTokens(sealer, session);
    if (session.sealedTokens !== seen.sealedTokens && tokens.expiresAtMs > clock.nowMs()) {
      return tokens;
    }
    if (tokens.refreshToken === undefined) {
      throw new DomainError('platform_refused');
    }
    const fresh = await platform.refresh(tokens.refreshToken);
    await store.update(session.tokenHash, {
      sealedTokens: sealTokens(sealer, fresh, session.tokenHash),
      tokensExpireAtMs: fresh.expiresAtMs,
    });
    return fresh;
  }

  return (session: Session): Promise<ChatTokens> => {
    const key = session.tokenHash;
    const present = underWay.get(key);
    if (present !== undefined) {
      return present;
    }
    const begun = refresh(session).finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

/** Sealed under the session's own hash, so that a row's tokens are of no use in another row. */
export function sealTokens(sealer: Sealer, tokens: ChatTokens, tokenHash: string): string {
  const { accessToken, refreshToken } = tokens;
  return sealer.seal(JSON.stringify({ accessToken, refreshToken }), tokenHash);
}

function openTokens(sealer: Sealer, session: Session): ChatTokens {
  const text = sealer.open(session.sealedTokens, session.tokenHash);
  if (text === undefined) {
    // Sealed under a secret that has been replaced since: as good as taken back.
    throw new DomainError('platform_refused');
  }
  return { ...JSON.parse(text), expiresAtMs: session.tokensExpireAtMs };
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'platform_refused';
}
