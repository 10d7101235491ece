import { hash } from 'node:crypto';
import type { Actor, BotCommand } from '../model.ts';
import type { Clock, CommandStore } from '../ports.ts';

export interface Commands {
  /** The whole catalogue, or one category in either case. An unknown category gives an empty list. */
  list(category: string | undefined): Promise<readonly BotCommand[]>;
  /** Replaces the catalogue, if it still has the expected tag. */
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

/** A hash of a catalogue: the same commands in the same order have the same tag in every store. */
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
