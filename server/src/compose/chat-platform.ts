import type { Config } from '../config.ts';
import type { ChatDirectory } from '../domain/people/chat-directory.ts';
import type { ChatPlatform, Clock } from '../domain/ports.ts';

interface PlatformEnvironment {
  clock: Clock;
  /** Time limit for answers, if not the default. */
  chatTimeoutMs?: number | undefined;
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
