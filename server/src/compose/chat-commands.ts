import type { Config } from '../config.ts';
import { createChatCommands } from '../domain/chat/chat-commands.ts';
import { CHAT_COMMANDS } from '../domain/chat/commands.ts';
import type { ChatInteractions } from '../domain/chat/interaction.ts';
import type { Clock, RateLimiter, Store } from '../domain/ports.ts';

/** Undefined without the application's id and public key: then the platform's commands are not answered. */
export async function createInteractions(
  { chatApplicationId, chatPublicKey }: Config,
  { clock }: { clock: Clock },
  parts: { store: Store; limiter: RateLimiter; onRateLimited: (bucket: string) => void },
): Promise<ChatInteractions | undefined> {
  if (chatApplicationId === undefined || chatPublicKey === undefined) {
    return undefined;
  }
  const { store, limiter, onRateLimited } = parts;
  const { createDiscordInteractions } = await import('../chat-platform/discord/interactions.ts');
  const commands = createChatCommands({
    commands: CHAT_COMMANDS,
    guildStore: store.guilds,
    roles: store.roles,
    verificationStore: store.verifications,
    entries: store.entries,
    ledgerStore: store.ledger,
    limiter,
    onRateLimited,
  });
  return createDiscordInteractions({ publicKey: chatPublicKey, commands, clock });
}
