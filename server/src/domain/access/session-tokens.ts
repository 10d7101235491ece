import { DomainError } from '../errors.ts';
import type { ChatTokens, Session } from '../model.ts';
import type { ChatPlatform, Clock, SessionStore } from '../ports.ts';
import { SESSION_TOKEN_LENGTH_MAX } from './personal-bounds.ts';
import type { Sealer } from './sealing.ts';

/**
 * The number of sessions whose tokens wait to be saved. Beyond it the oldest are dropped, and these people sign in
 * again.
 */
const UNSAVED_MAX = 1_000;
/**
 * The number of reads of a session, and the pause between them, while waiting for another process to save new tokens.
 */
const LOOKS_MAX = 5;
const LOOK_EVERY_MS = 100;

/** The chat platform's tokens of sessions. Several processes may refresh the same ones at the same time. */
export interface SessionTokens {
  /**
   * Finds a session with its newest tokens, saved or not, and tries again to save tokens that could not be saved
   * before.
   */
  find(tokenHash: string): Promise<Session | undefined>;
  open(session: Session): ChatTokens;
  /**
   * Exchanges the session's tokens for new ones. Rejects with `platform_refused` when the platform does not accept
   * them.
   */
  refresh(session: Session): Promise<ChatTokens>;
  /**
   * Ends a session whose tokens were refused. When another process has replaced the tokens, returns the session with
   * those instead.
   */
  endUnlessRenewed(session: Session): Promise<Session | undefined>;
}

export interface SessionTokenParts {
  store: SessionStore;
  platform: ChatPlatform;
  sealer: Sealer;
  clock: Clock;
  /** Resolves after `ms` milliseconds. */
  pause: (ms: number) => Promise<unknown>;
}

export function createSessionTokens(parts: SessionTokenParts): SessionTokens {
  const { store, sealer, pause } = parts;
  const unsaved = createUnsavedTokens(store, sealer);
  return {
    find: unsaved.find,
    open: (session) => openTokens(sealer, session),
    refresh: createRefresher(parts, unsaved),
    async endUnlessRenewed(session) {
      const { tokenHash, sealedTokens } = session;
      // When two processes use one refresh token, the platform refuses the slower one, maybe before the faster one
      // has saved its new tokens. So the slower one looks for them several times before it ends the session.
      let saved = unsaved.savedOf(session);
      for (let look = 1; look <= LOOKS_MAX; look += 1) {
        const found = await unsaved.find(tokenHash);
        if (found === undefined || !unsaved.isSame(found, sealedTokens)) {
          return found;
        }
        saved = unsaved.savedOf(found);
        if (look < LOOKS_MAX) {
          await pause(LOOK_EVERY_MS);
        }
      }
      const hasEnded = await store.delete(tokenHash, saved);
      return hasEnded ? undefined : unsaved.find(tokenHash);
    },
  };
}

interface UnsavedTokens {
  find: SessionTokens['find'];
  /** The tokens that the store has for a session. They are older than the session's own while those are not saved. */
  savedOf(session: Session): string;
  /** True when a session has these tokens, even if they were sealed again under another key. */
  isSame(session: Session, sealedTokens: string): boolean;
  /**
   * Replaces the session's tokens by new ones. When that fails they stay in memory, and are saved when the session is
   * next found.
   */
  save(session: Session, fresh: Pick<Session, 'sealedTokens' | 'tokensExpireAtMs'>): Promise<void>;
}

/**
 * A refresh token often works only once: when the new tokens cannot be saved, those in the store no longer work. The
 * new ones stay in memory, encrypted, until the store accepts them.
 */
function createUnsavedTokens(store: SessionStore, sealer: Sealer): UnsavedTokens {
  const kept = new Map<string, Pick<Session, 'sealedTokens' | 'tokensExpireAtMs'> & { saved: string }>();

  function isSame({ tokenHash, sealedTokens }: Session, expected: string): boolean {
    if (sealedTokens === expected) {
      return true;
    }
    const text = sealer.open(sealedTokens, tokenHash);
    return text !== undefined && text === sealer.open(expected, tokenHash);
  }

  async function saveKept(tokenHash: string): Promise<void> {
    const entry = kept.get(tokenHash);
    if (entry === undefined) {
      return;
    }
    const { saved, ...tokens } = entry;
    if (!(await store.update(tokenHash, tokens, saved))) {
      // Either the session has ended or has newer tokens, and nothing is to be saved. Or another process has resealed
      // the same tokens with a new key, and they can still be replaced.
      const session = await store.find(tokenHash);
      if (session !== undefined && isSame(session, saved)) {
        await store.update(tokenHash, tokens, session.sealedTokens);
      }
    }
    if (kept.get(tokenHash) === entry) {
      kept.delete(tokenHash);
    }
  }

  const savedOf = (session: Session) => kept.get(session.tokenHash)?.saved ?? session.sealedTokens;

  return {
    isSame,
    savedOf,
    async find(tokenHash) {
      const session = await store.find(tokenHash);
      const entry = kept.get(tokenHash);
      if (entry === undefined) {
        return session;
      }
      try {
        await saveKept(tokenHash);
      } catch (error) {
        if (!isUnavailable(error)) {
          throw error;
        }
        const { saved, ...tokens } = entry;
        return session !== undefined && isSame(session, saved) ? { ...session, ...tokens } : session;
      }
      return store.find(tokenHash);
    },
    async save(session, tokens) {
      const { tokenHash } = session;
      const saved = savedOf(session);
      // Deleted first, so that the entry moves to the end of the map.
      kept.delete(tokenHash);
      kept.set(tokenHash, { ...tokens, saved });
      const [oldest] = kept.keys();
      if (kept.size > UNSAVED_MAX && oldest !== undefined) {
        kept.delete(oldest);
      }
      await saveKept(tokenHash);
    },
  };
}

/**
 * Requests that find the same session's tokens expired share one refresh. Each refresh first checks whether another
 * process has already refreshed them. Holds one entry per pending refresh.
 */
function createRefresher({ platform, sealer, clock }: SessionTokenParts, unsaved: UnsavedTokens) {
  const underWay = new Map<string, Promise<ChatTokens>>();

  async function refresh(seen: Session): Promise<ChatTokens> {
    const session = await unsaved.find(seen.tokenHash);
    if (session === undefined) {
      throw new DomainError('session_required');
    }
    const tokens = openTokens(sealer, session);
    if (!unsaved.isSame(session, seen.sealedTokens) && tokens.expiresAtMs > clock.nowMs()) {
      return tokens;
    }
    if (tokens.refreshToken === undefined) {
      throw new DomainError('platform_refused');
    }
    const fresh = await platform.refresh(tokens.refreshToken);
    await unsaved.save(session, {
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

/** Sealed under the session's own hash, so that the tokens of a row cannot be used in another row. */
export function sealTokens(sealer: Sealer, tokens: ChatTokens, tokenHash: string): string {
  const { accessToken, refreshToken } = tokens;
  if (
    accessToken.length > SESSION_TOKEN_LENGTH_MAX ||
    (refreshToken?.length ?? 0) > SESSION_TOKEN_LENGTH_MAX
  ) {
    throw new DomainError('platform_unavailable', {
      cause: new Error('the platform gave a token that is too long'),
    });
  }
  return sealer.seal(JSON.stringify({ accessToken, refreshToken }), tokenHash);
}

function openTokens(sealer: Sealer, session: Session): ChatTokens {
  const text = sealer.open(session.sealedTokens, session.tokenHash);
  if (text === undefined) {
    // Sealed with a secret that has been replaced: the same as revoked.
    throw new DomainError('platform_refused');
  }
  return { ...JSON.parse(text), expiresAtMs: session.tokensExpireAtMs };
}

/** True when the store cannot be written now, but may be later. */
function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && ['store_unavailable', 'overloaded'].includes(error.code);
}
