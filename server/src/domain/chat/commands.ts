import { balance } from './balance.ts';
import type { ChatCommand } from './command.ts';

/** The built-in commands, in the order of the catalogue. */
export const CHAT_COMMANDS: readonly ChatCommand[] = [balance];
