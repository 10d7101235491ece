import { hash } from 'node:crypto';
import type { Actor, BotCommand } from '../model.ts';
import type { Clock, CommandStore } from '../ports.ts';

export interface Commands {
  /** The catalogue of the operator's bot, as it was written. */
  written(): Promise<readonly BotCommand[]>;
  /**
   * The whole catalogue with the built-in commands, or one category in either case. An unknown category gives an empty list. The
   * whole catalogue is the same array until it changes.
   */
  list(category: string | undefined): Promise<readonly BotCommand[]>;
  /** Replaces the catalogue, if it still has the expected tag. */
  replace(commands: readonly BotCommand[], actor: Actor, expectedTag?: string): Promise<void>;
}

export function createCommands(parts: {
  store: CommandStore;
  clock: Clock;
  /** Commands that the service answers itself. A written one of the same name replaces them. */
  builtIn: readonly BotCommand[];
}): Commands {
  const { store, clock, builtIn } = parts;
  let merged: { written: readonly BotCommand[]; all: readonly BotCommand[] } | undefined;

  function withBuiltIn(written: readonly BotCommand[]): readonly BotCommand[] {
    if (builtIn.length === 0) {
      return written;
    }
    if (merged?.written !== written) {
      const names = new Set(written.map(({ name }) => name.toLowerCase()));
      merged = { written, all: [...written, ...builtIn.filter(({ name }) => !names.has(name))] };
    }
    return merged.all;
  }

  return {
    written: () => store.list(),
    async list(category) {
      const commands = withBuiltIn(await store.list());
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
