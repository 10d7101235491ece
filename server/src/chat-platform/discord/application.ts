import { DomainError } from '../../domain/errors.ts';
import { createBoundedFetch, PLATFORM_TIMEOUT_MS } from '../bounded-fetch.ts';
import type { RegisteredCommand } from './registration.ts';

export interface ApplicationOptions {
  apiUrl: string;
  applicationId: string;
  botToken: string;
  timeoutMs?: number | undefined;
}

/** The application as Discord knows it. */
export interface ApplicationFacts {
  id: string;
  publicKey: string;
  /** The address to which Discord sends interactions; undefined when none is entered. */
  interactionsUrl: string | undefined;
}

/** The application's own routes, with the token of its bot. Rejects with `platform_refused` for a wrong token or id. */
export interface DiscordApplication {
  describe(): Promise<ApplicationFacts>;
  /** The registered commands: everywhere, or only those of one guild. */
  commands(guildId: string | undefined): Promise<{ name: string }[]>;
  /** Registers a command, in the place of the one of its name. */
  register(command: RegisteredCommand, guildId: string | undefined): Promise<void>;
}

export function createDiscordApplication(options: ApplicationOptions): DiscordApplication {
  const { apiUrl, applicationId, botToken, timeoutMs = PLATFORM_TIMEOUT_MS } = options;
  const boundedFetch = createBoundedFetch(timeoutMs);
  const base = `/applications/${applicationId}`;
  const commandsPath = (guildId: string | undefined) =>
    guildId === undefined ? `${base}/commands` : `${base}/guilds/${guildId}/commands`;

  async function ask(method: 'GET' | 'POST', path: string, content?: object): Promise<unknown> {
    const headers = {
      accept: 'application/json',
      authorization: `Bot ${botToken}`,
      ...(content !== undefined && { 'content-type': 'application/json' }),
    };
    const body = content && JSON.stringify(content);
    const response = await boundedFetch(`${apiUrl}${path}`, { method, headers, body, redirect: 'manual' });
    if (response.status !== 200 && response.status !== 201) {
      throw new DomainError('platform_refused', {
        detail: `${method} ${path} was answered ${response.status}: ${(await response.text()).slice(0, 300)}`,
      });
    }
    return response.json();
  }

  return {
    async describe() {
      const facts = await ask('GET', '/applications/@me');
      const { id, verify_key: key, interactions_endpoint_url: url } = facts as Record<string, unknown>;
      if (typeof id !== 'string' || typeof key !== 'string') {
        throw new DomainError('platform_unavailable', {
          cause: new Error('the application has no id or key'),
        });
      }
      return { id, publicKey: key, interactionsUrl: typeof url === 'string' ? url : undefined };
    },
    async commands(guildId) {
      const found = await ask('GET', `${commandsPath(guildId)}?with_localizations=true`);
      return Array.isArray(found) ? found.filter((one) => typeof one?.name === 'string') : [];
    },
    async register(command, guildId) {
      await ask('POST', commandsPath(guildId), command);
    },
  };
}
