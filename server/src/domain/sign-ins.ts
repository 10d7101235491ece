import { DomainError } from './errors.ts';
import { managedGuilds } from './managed-guilds.ts';
import type { ChatTokens, SignInAttempt } from './model.ts';
import type { ChatPlatform, Clock, IdSource, SessionStore } from './ports.ts';
import { returnPath } from './return-path.ts';
import type { Sealer } from './sealing.ts';
import { createToken, hashOfToken, isWellFormedToken } from './session-token.ts';
import { SESSION_LIFETIME_MS, sealTokens } from './sessions.ts';

export const SIGN_IN_LIFETIME_MS = 10 * 60_000;
/** More than a busy service ever has at once; it bounds what a flood can leave behind. */
export const SIGN_INS_UNDER_WAY_MAX = 10_000;

export interface SignIns {
  /**
   * Begins a sign-in. `browser` is the secret that ties it to one browser: the one it has already, so that two tabs
   * can sign in side by side, or a new one to be kept there.
   */
  start(from: {
    returnTo: unknown;
    browser: string | undefined;
    redirectUri: string;
  }): Promise<{ address: string; browser: string }>;
  /**
   * Ends a sign-in with a new session, whose token is returned and cannot be had again. A session the browser had
   * before ends. Rejects with `sign_in_expired` unless this browser began it, within ten minutes and for the first
   * time; with `sign_in_denied` when the person declined; with the platform's own failures. Nothing is stored then.
   */
  complete(back: {
    state: string | undefined;
    code: string | undefined;
    error: string | undefined;
    browser: string | undefined;
    formerToken: string | undefined;
    redirectUri: string;
  }): Promise<{ token: string; returnTo: string }>;
}

export interface SignInParts {
  store: SessionStore;
  platform: ChatPlatform;
  sealer: Sealer;
  clock: Clock;
  ids: IdSource;
}

export function createSignIns(parts: SignInParts): SignIns {
  const { store, platform, sealer, clock, ids } = parts;
  return {
    async start({ returnTo, browser: known, redirectUri }) {
      const state = createToken(ids);
      const stateHash = hashOfToken(state);
      const codeVerifier = createToken(ids);
      const browser = isWellFormedToken(known) ? known : createToken(ids);
      const address = await platform.authorizeUrl({ state, codeVerifier, redirectUri });
      const nowMs = clock.nowMs();
      await store.insertAttempt({
        stateHash,
        browserHash: hashOfToken(browser),
        sealedVerifier: sealer.seal(codeVerifier, stateHash),
        returnTo: returnPath(returnTo),
        createdAtMs: nowMs,
        expiresAtMs: nowMs + SIGN_IN_LIFETIME_MS,
      });
      return { address, browser };
    },

    async complete({ state, code, error, browser, formerToken, redirectUri }) {
      const { attempt, codeVerifier } = await takeAttempt(parts, state, browser);
      if (error !== undefined || state === undefined || code === undefined) {
        throw new DomainError(error === 'access_denied' ? 'sign_in_denied' : 'platform_refused');
      }
      const tokens = await platform.exchangeCode({ code, state, codeVerifier, redirectUri });
      const token = await beginSession(parts, tokens);
      if (isWellFormedToken(formerToken)) {
        await store.delete(hashOfToken(formerToken));
      }
      return { token, returnTo: attempt.returnTo };
    },
  };
}

/** The attempt is used up here, before anything is asked of the platform: it never serves twice. */
async function takeAttempt(
  { store, sealer, clock }: SignInParts,
  state: string | undefined,
  browser: string | undefined,
): Promise<{ attempt: SignInAttempt; codeVerifier: string }> {
  if (!isWellFormedToken(state) || !isWellFormedToken(browser)) {
    throw new DomainError('sign_in_expired');
  }
  const stateHash = hashOfToken(state);
  const attempt = await store.takeAttempt({ stateHash, browserHash: hashOfToken(browser) });
  const codeVerifier = attempt && sealer.open(attempt.sealedVerifier, stateHash);
  if (attempt === undefined || codeVerifier === undefined || attempt.expiresAtMs <= clock.nowMs()) {
    throw new DomainError('sign_in_expired');
  }
  return { attempt, codeVerifier };
}

async function beginSession(parts: SignInParts, tokens: ChatTokens): Promise<string> {
  const { store, platform, sealer, clock, ids } = parts;
  const [user, guilds] = await Promise.all([
    platform.fetchUser(tokens.accessToken),
    platform.fetchGuilds(tokens.accessToken),
  ]);
  const token = createToken(ids);
  const tokenHash = hashOfToken(token);
  const nowMs = clock.nowMs();
  await store.insert({
    tokenHash,
    user,
    guilds: managedGuilds(guilds),
    sealedTokens: sealTokens(sealer, tokens, tokenHash),
    tokensExpireAtMs: tokens.expiresAtMs,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    expiresAtMs: nowMs + SESSION_LIFETIME_MS,
  });
  return token;
}
