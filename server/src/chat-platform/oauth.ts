import * as oauth from 'oauth4webapi';
import { DomainError } from '../domain/errors.ts';
import type { ChatTokens } from '../domain/model.ts';
import type { ChatPlatform, Clock } from '../domain/ports.ts';
import { readChatRoles, readGuilds, readUser } from './answers.ts';
import { createBoundedFetch, PLATFORM_TIMEOUT_MS } from './bounded-fetch.ts';
import { isLoopbackUrl } from './loopback.ts';

const SCOPES = 'identify guilds guilds.members.read';
/** For a platform that does not send the lifetime of its tokens. */
const TOKEN_LIFETIME_SECONDS = 3_600;

export interface OAuthPlatformOptions {
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  /** The base of `/users/@me`, `/users/@me/guilds` and `/users/@me/guilds/{guildId}/member`. */
  apiUrl: string;
  clock: Clock;
  timeoutMs?: number | undefined;
}

/** A chat platform with OAuth 2 (authorization code with PKCE) and Discord's routes for users. */
export function createOAuthPlatform(options: OAuthPlatformOptions): ChatPlatform {
  const { clock, timeoutMs = PLATFORM_TIMEOUT_MS } = options;
  const server: oauth.AuthorizationServer = {
    issuer: new URL(options.authorizeUrl).origin,
    authorization_endpoint: options.authorizeUrl,
    token_endpoint: options.tokenUrl,
  };
  const client: oauth.Client = { client_id: options.clientId };
  const clientAuth = oauth.ClientSecretPost(options.clientSecret);
  const boundedFetch = createBoundedFetch(timeoutMs);
  const optionsFor = (url: string) => ({
    [oauth.customFetch]: boundedFetch,
    // Plain http is allowed only for the demo platform on this machine.
    [oauth.allowInsecureRequests]: isLoopbackUrl(url),
  });
  const tokenOptions = optionsFor(options.tokenUrl);

  async function fetchJson(path: string, accessToken: string): Promise<unknown> {
    const url = new URL(`${options.apiUrl}${path}`);
    const headers = new Headers({ accept: 'application/json' });
    const asked = optionsFor(url.href);
    const response = await oauth.protectedResourceRequest(accessToken, 'GET', url, headers, null, asked);
    if (response.status === 401 || response.status === 403) {
      throw new DomainError('platform_refused', { cause: new Error(`status ${response.status}`) });
    }
    if (response.status === 404) {
      return undefined;
    }
    if (response.status !== 200) {
      throw new Error(`status ${response.status}`);
    }
    return response.json();
  }

  function toTokens(answer: oauth.TokenEndpointResponse, former?: string): ChatTokens {
    const lifetimeSeconds = answer.expires_in ?? TOKEN_LIFETIME_SECONDS;
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token ?? former,
      expiresAtMs: clock.nowMs() + lifetimeSeconds * 1_000,
    };
  }

  return {
    identity: `${new URL(options.apiUrl).origin} ${options.clientId}`,
    async authorizeUrl({ state, codeVerifier, redirectUri }) {
      const url = new URL(options.authorizeUrl);
      const parameters = {
        response_type: 'code',
        client_id: options.clientId,
        scope: SCOPES,
        state,
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) {
        url.searchParams.set(name, value);
      }
      return url.href;
    },
    exchangeCode: ({ code, state, codeVerifier, redirectUri }) =>
      translated(async () => {
        const back = new URLSearchParams({ code, state });
        const checked = oauth.validateAuthResponse(server, client, back, state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          clientAuth,
          checked,
          redirectUri,
          codeVerifier,
          tokenOptions,
        );
        return toTokens(await oauth.processAuthorizationCodeResponse(server, client, response));
      }),
    refresh: (refreshToken) =>
      translated(async () => {
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          clientAuth,
          refreshToken,
          tokenOptions,
        );
        return toTokens(await oauth.processRefreshTokenResponse(server, client, response), refreshToken);
      }),
    fetchUser: (accessToken) => translated(async () => readUser(await fetchJson('/users/@me', accessToken))),
    fetchGuilds: (accessToken) =>
      translated(async () => readGuilds(await fetchJson('/users/@me/guilds', accessToken))),
    fetchChatRoles: (accessToken, guildId) =>
      translated(async () => {
        const member = await fetchJson(
          `/users/@me/guilds/${encodeURIComponent(guildId)}/member`,
          accessToken,
        );
        return member === undefined ? [] : readChatRoles(member);
      }),
  };
}

/**
 * Translates every failure to a code of the port. Only the message of the library's errors is kept: their other
 * fields contain the platform's answer with tokens.
 */
async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) {
      throw error;
    }
    const isRefusal =
      error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError;
    const message = error instanceof Error ? error.message : 'unknown';
    const reason = error instanceof oauth.ResponseBodyError ? `${message} (${error.status})` : message;
    throw isRefusal
      ? new DomainError('platform_refused', { cause: new Error(reason) })
      : new DomainError('platform_unavailable', { cause: new Error(reason), retryAfterSeconds: 5 });
  }
}
