import { hash } from 'node:crypto';
import type { Clock, IdSource } from '../../domain/ports.ts';

const CODE_LIFETIME_MS = 60_000;
const TOKEN_LIFETIME_SECONDS = 3_600;
/** Limit of each kind; beyond it the oldest is dropped. */
const GRANTS_MAX = 1_000;
const SECRET_BYTES = 32;

/** A person who can sign in. The list is read again for each answer, so that rights can change. */
export interface DemoPerson {
  chatId: string;
  username: string;
  about: string;
  avatar?: string | undefined;
  guilds: {
    guildId: string;
    name: string;
    icon?: string | undefined;
    owner: boolean;
    permissions: string;
    roles?: string[];
  }[];
}

/** A guild as a bot of the platform sees it. */
export interface DemoGuild {
  guildId: string;
  roles: readonly { id: string; name: string }[];
  members: readonly {
    chatId: string;
    username: string;
    avatar?: string | undefined;
    roles: readonly string[];
  }[];
}

export interface DemoOptions {
  people: readonly DemoPerson[];
  /** Somebody without an account who writes in the channel. */
  newcomer?: { chatId: string; username: string; about: string; permissions: string };
  /** The guilds that have the platform's bot, and its token. */
  guilds?: readonly DemoGuild[];
  botToken?: string;
  clientId: string;
  clientSecret: string;
  clock: Clock;
  ids: IdSource;
}

export interface DemoGrants {
  issueCode(chatId: string, request: { redirectUri: string; codeChallenge: string }): string;
  /** The token endpoint. A code (once, with its verifier) or a refresh token (once) gives a new pair of tokens. */
  answerTokenRequest(form: URLSearchParams): { status: number; body: object };
  personOf(accessToken: string | undefined): DemoPerson | undefined;
}

interface Code {
  chatId: string;
  redirectUri: string;
  codeChallenge: string;
  expiresAtMs: number;
}

export function createDemoGrants(options: DemoOptions): DemoGrants {
  const { people, clock, ids } = options;
  const codes = new Map<string, Code>();
  const accessTokens = new Map<string, { chatId: string; expiresAtMs: number }>();
  const refreshTokens = new Map<string, string>();
  const createSecret = () => Buffer.from(ids.randomBytes(SECRET_BYTES)).toString('base64url');

  function issueTokens(chatId: string): { status: number; body: object } {
    const accessToken = createSecret();
    const refreshToken = createSecret();
    const expiresAtMs = clock.nowMs() + TOKEN_LIFETIME_SECONDS * 1_000;
    remember(accessTokens, accessToken, { chatId, expiresAtMs });
    remember(refreshTokens, refreshToken, chatId);
    const body = {
      token_type: 'Bearer',
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope: 'identify guilds',
    };
    return { status: 200, body };
  }

  function takeCode(form: URLSearchParams): string | undefined {
    const code = take(codes, form.get('code'));
    const isRight =
      code !== undefined &&
      code.expiresAtMs > clock.nowMs() &&
      code.redirectUri === form.get('redirect_uri') &&
      code.codeChallenge === hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    return isRight ? code.chatId : undefined;
  }

  return {
    issueCode(chatId, { redirectUri, codeChallenge }) {
      const code = createSecret();
      const expiresAtMs = clock.nowMs() + CODE_LIFETIME_MS;
      remember(codes, code, { chatId, redirectUri, codeChallenge, expiresAtMs });
      return code;
    },
    answerTokenRequest(form) {
      if (form.get('client_id') !== options.clientId || form.get('client_secret') !== options.clientSecret) {
        return { status: 401, body: { error: 'invalid_client' } };
      }
      const chatId =
        form.get('grant_type') === 'refresh_token'
          ? take(refreshTokens, form.get('refresh_token'))
          : takeCode(form);
      return chatId === undefined ? { status: 400, body: { error: 'invalid_grant' } } : issueTokens(chatId);
    },
    personOf(accessToken) {
      const grant = accessTokens.get(accessToken ?? '');
      const isValid = grant !== undefined && grant.expiresAtMs > clock.nowMs();
      return isValid ? people.find(({ chatId }) => chatId === grant.chatId) : undefined;
    },
  };
}

function take<Value>(map: Map<string, Value>, key: string | null): Value | undefined {
  const value = map.get(key ?? '');
  map.delete(key ?? '');
  return value;
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= GRANTS_MAX) {
    map.delete(oldest);
  }
  map.set(key, value);
}
