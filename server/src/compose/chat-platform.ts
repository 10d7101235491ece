import { isLoopbackUrl } from '../chat-platform/loopback.ts';
import type { Config } from '../config.ts';
import type { ChatDirectory } from '../domain/people/chat-directory.ts';
import type { PictureHost } from '../domain/people/chat-pictures.ts';
import type { ChatPlatform, Clock } from '../domain/ports.ts';
import { createNetworks } from '../domain/webhooks/networks.ts';
import type { Connections } from '../outgoing/connections.ts';

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1'];

interface PlatformEnvironment {
  clock: Clock;
  /** Time limit for answers, if not the default. */
  chatTimeoutMs?: number | undefined;
  /** Time limit for a picture, if not the default. */
  pictureTimeoutMs?: number | undefined;
}

/** Undefined without a registered application: then nobody can sign in. */
export async function createPlatform(
  config: Config,
  { clock, chatTimeoutMs }: PlatformEnvironment,
): Promise<ChatPlatform | undefined> {
  const { chatClientId, chatClientSecret } = config;
  if (chatClientId === undefined || chatClientSecret === undefined) {
    return undefined;
  }
  const { createOAuthPlatform } = await import('../chat-platform/oauth.ts');
  return createOAuthPlatform({
    clientId: chatClientId,
    clientSecret: chatClientSecret,
    authorizeUrl: config.chatAuthorizeUrl,
    tokenUrl: config.chatTokenUrl,
    apiUrl: config.chatApiUrl,
    clock,
    timeoutMs: chatTimeoutMs,
  });
}

/** Undefined without the token of a bot: then members cannot be read by their chat role. */
export async function createDirectory(
  { chatBotToken, chatApiUrl }: Config,
  { chatTimeoutMs }: PlatformEnvironment,
): Promise<ChatDirectory | undefined> {
  if (chatBotToken === undefined) {
    return undefined;
  }
  const { createChatDirectory } = await import('../chat-platform/directory.ts');
  return createChatDirectory({ apiUrl: chatApiUrl, botToken: chatBotToken, timeoutMs: chatTimeoutMs });
}

/**
 * Connections to the hosts of the chat platform: to public addresses, and to networks that the operator allows for webhooks. The
 * demo's platform on this machine is the exception.
 */
export async function openPlatformConnections(
  { webhookAllowedNetworks }: Config,
  url: string,
  clock: Clock,
): Promise<Connections> {
  const { createConnections } = await import('../outgoing/connections.ts');
  const local = isLoopbackUrl(url) ? LOOPBACK_NETWORKS : [];
  return createConnections({ networks: createNetworks([...webhookAllowedNetworks, ...local]), clock });
}

/** The host is undefined when pictures are switched off. */
export async function openPictureHost(
  config: Config,
  { clock, pictureTimeoutMs: timeoutMs }: PlatformEnvironment,
): Promise<{ host: PictureHost | undefined; close(): void }> {
  const { chatAvatarUrl: template } = config;
  if (template === undefined) {
    return { host: undefined, close() {} };
  }
  const { createPictureHost } = await import('../chat-platform/picture-host.ts');
  const connections = await openPlatformConnections(config, template, clock);
  return {
    host: createPictureHost({ template, connections, timeoutMs }),
    close: () => connections.close(),
  };
}
