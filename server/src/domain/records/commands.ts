import { hash } from 'node:crypto';
import type { Actor, BotCommand } from '../model.ts';
import type { Clock, CommandStore } from '../ports.ts';

export interface Commands {
  /** The whole catalogue, or one category of it without regard to case. An unknown category is empty. */
  list(category: string | undefined): Promise<readonly BotCommand[]>;
  /** Puts another catalogue in the place of the present one, if that still has the expected tag. */
  replace(commands: readonly BotCommand[], actor: Actor, expectedTag?: string): Promise<void>;
}

export function createCommands(parts: { store: CommandStore; clock: Clock }): Commands {
  const { store, clock } = parts;
  return {
    async list(category) {
      const commands = await store.list();
      if (category === undefined) {
        return commands;
      }
      const wanted = category.toLowerCase();
      return commands.filter((command) => command.category.toLowerCase() === wanted);
    },
    async replace(commands, actor, expectedTag) {
      await store.replace(commands, { actor, atMs: clock.nowMs() }, expectedTag);
    },
  };
}

/** Names a catalogue by its content: the same commands in the same order have the same tag, in any store. */
export function catalogueTag(commands: readonly BotCommand[]): string {
  const content = commands.map(({ category, name, description, extendedHelp, preconditions }) => [
    category,
    name,
    description,
    extendedHelp,
    preconditions,
  ]);
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, 22);
}
