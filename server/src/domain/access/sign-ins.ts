import { DomainError } from '../errors.ts';
import type { ChatTokens, SignInAttempt } from '../model.ts';
import type { Clock, IdSource, SessionStore } from '../ports.ts';
import { type OpenGuildParts, openGuilds } from './managed-guilds.ts';
import { returnPath } from './return-path.ts';
import type { Sealer } from './sealing.ts';
import { createToken, hashOfSession, hashOfToken, isWellFormedToken } from './session-token.ts';
import { sealTokens } from './session-tokens.ts';
import { SESSION_LIFETIME_MS } from './sessions.ts';

export const SIGN_IN_LIFETIME_MS = 10 * 60_000;
/** More than a busy service ever has at once. It limits the rows that a flood of requests can create. */
export const SIGN_INS_UNDER_WAY_MAX = 10_000;

export interface SignIns {
  /**
   * Starts a sign-in. `browser` is a secret that binds it to one browser: the one the browser already has, so that
   * two tabs can sign in at the same time, or a new one to be stored there.
   */
  start(from: {
    returnTo: unknown;
    browser: string | undefined;
    redirectUri: string;
  }): Promise<{ address: string; browser: string }>;
  /**
   * Completes a sign-in with a new session and returns its token, which cannot be read again later. An earlier
   * session of the browser ends. Rejects with `sign_in_expired` unless the same browser started it less than ten
   * minutes ago and this is the first call; with `sign_in_denied` when the person declined; with the platform's own
   * failures. Nothing is stored then. If the attempt was found, the rejection is a `SignInFailure` that wraps the
   * error.
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

/** A failed sign-in, with the page it should have returned to, so that the next one can return there. */
export class SignInFailure extends Error {
  override name = 'SignInFailure';
  readonly returnTo: string;

  constructor(cause: unknown, returnTo: string) {
    super('the sign-in came to nothing', { cause });
    this.returnTo = returnTo;
  }
}

export interface SignInParts extends OpenGuildParts {
  store: SessionStore;
  sealer: Sealer;
  clock: Clock;
  ids: IdSource;
  /** How long the rows of expired sessions are kept; by default not at all. */
  expiredKeptMs?: number;
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

    async complete(back) {
      const attempt = await takeAttempt(parts, back);
      try {
        return { token: await tradeForSession(parts, attempt, back), returnTo: attempt.returnTo };
      } catch (error) {
        throw new SignInFailure(error, attempt.returnTo);
      }
    },
  };
}

type Back = Parameters<SignIns['complete']>[0];

/** Deletes the attempt before the platform is asked, so that it can be used only once. */
async function takeAttempt({ store }: SignInParts, { state, browser }: Back): Promise<SignInAttempt> {
  const attempt =
    isWellFormedToken(state) && isWellFormedToken(browser)
      ? await store.takeAttempt({ stateHash: hashOfToken(state), browserHash: hashOfToken(browser) })
      : undefined;
  if (attempt === undefined) {
    throw new DomainError('sign_in_expired');
  }
  return attempt;
}

async function tradeForSession(
  parts: SignInParts,
  attempt: SignInAttempt,
  { state, code, error, formerToken, redirectUri }: Back,
): Promise<string> {
  const { store, platform, sealer, clock } = parts;
  const codeVerifier = sealer.open(attempt.sealedVerifier, attempt.stateHash);
  if (codeVerifier === undefined || attempt.expiresAtMs <= clock.nowMs()) {
    throw new DomainError('sign_in_expired');
  }
  if (error !== undefined || state === undefined || code === undefined) {
    throw new DomainError(error === 'access_denied' ? 'sign_in_denied' : 'platform_refused');
  }
  const tokens = await platform.exchangeCode({ code, state, codeVerifier, redirectUri });
  const token = await beginSession(parts, tokens);
  if (isWellFormedToken(formerToken)) {
    await store.delete(hashOfSession(formerToken, platform));
  }
  return token;
}

async function beginSession(parts: SignInParts, tokens: ChatTokens): Promise<string> {
  const { store, platform, sealer, clock, ids, expiredKeptMs = 0 } = parts;
  const { accessToken } = tokens;
  const user = await platform.fetchUser(accessToken);
  const guilds = await openGuilds({ chatId: user.chatId, accessToken }, parts);
  const token = createToken(ids);
  const tokenHash = hashOfSession(token, platform);
  const nowMs = clock.nowMs();
  const session = {
    tokenHash,
    user,
    guilds,
    sealedTokens: sealTokens(sealer, tokens, tokenHash),
    tokensExpireAtMs: tokens.expiresAtMs,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    expiresAtMs: nowMs + SESSION_LIFETIME_MS,
  };
  await store.insert(session, nowMs - expiredKeptMs);
  return token;
}
