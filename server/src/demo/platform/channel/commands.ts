import { toRegistered } from '../../../chat-platform/discord/registration.ts';
import { CHAT_COMMANDS } from '../../../domain/chat/commands.ts';

/** The commands as `guildbook chat register` puts them to a platform. */
export const REGISTERED_COMMANDS = CHAT_COMMANDS.map(toRegistered);
