import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import { createChatCommands } from '../domain/chat/chat-commands.ts';
import { CHAT_COMMANDS, describeIn } from '../domain/chat/commands.ts';
import type { ChatInteractions } from '../domain/chat/interaction.ts';
import { createCachedLeaders } from '../domain/ledger/cached-leaders.ts';
import type { Clock, IdSource, RateLimiter, Store } from '../domain/ports.ts';
import type { Rules } from '../domain/rules.ts';
import type { Seals } from '../domain/seal/seals.ts';
import { isLine } from '../wire/text.ts';
import { openPlatformConnections } from './chat-platform.ts';

export interface InteractionEnvironment {
  clock: Clock;
  ids: IdSource;
  logger: BaseLogger;
  /** Time after which a reply is deferred, if not the default. */
  chatDeferMs?: number | undefined;
  /** The origin of links in replies, if there is no public address. */
  ownOrigin?: (() => string | undefined) | undefined;
}

interface InteractionParts {
  store: Store;
  rules: Rules;
  seals: Seals;
  limiter: RateLimiter;
  onRateLimited: (bucket: string) => void;
  pause: (durationMs: number) => Promise<unknown>;
}

/** True when the service answers the commands of the chat platform. */
export function isAnswering({ chatApplicationId, chatPublicKey }: Config): boolean {
  return chatApplicationId !== undefined && chatPublicKey !== undefined;
}

/** Without the application's id and public key, the platform's commands are not answered. */
export async function openInteractions(
  config: Config,
  { clock, ids, logger, chatDeferMs, ownOrigin }: InteractionEnvironment,
  { store, rules, seals, limiter, onRateLimited, pause }: InteractionParts,
): Promise<{ interactions: ChatInteractions | undefined; close(): void }> {
  const { chatApplicationId: applicationId, chatPublicKey: publicKey, chatApiUrl: apiUrl } = config;
  if (applicationId === undefined || publicKey === undefined) {
    return { interactions: undefined, close() {} };
  }
  const { createDiscordInteractions } = await import('../chat-platform/discord/interactions.ts');
  const { createFollowUps } = await import('../chat-platform/discord/follow-ups.ts');
  const connections = await openPlatformConnections(config, apiUrl, clock);
  const commands = createChatCommands({
    ...rules,
    builtIn: CHAT_COMMANDS,
    describeCommand: describeIn,
    roles: store.roles,
    verificationStore: store.verifications,
    entries: store.entries,
    ledgerStore: store.ledger,
    views: { ...store.ledgerViews, largestBalances: createCachedLeaders(store) },
    chatStore: store.chat,
    receiptText: seals.receiptText,
    publicOrigin: () => (config.publicUrl ? new URL(config.publicUrl).origin : ownOrigin?.()),
    clock,
    limiter,
    onRateLimited,
    isLine,
  });
  const boundary = () => `guildbook-${ids.uuid()}`;
  const interactions = createDiscordInteractions({
    publicKey,
    commands,
    followUps: createFollowUps({ apiUrl, applicationId, connections, pause, boundary }),
    clock,
    deferAfterMs: chatDeferMs,
    onFailure: (error) => logger.error({ err: error }, 'a command of the chat was not answered completely'),
  });
  return { interactions, close: () => connections.close() };
}
