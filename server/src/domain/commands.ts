import type { BotCommand } from './model.ts';
import type { CommandStore } from './ports.ts';

export interface Commands {
  /** The whole catalogue, or one category of it without regard to case. An unknown category is empty. */
  list(category: string | undefined): Promise<readonly BotCommand[]>;
}

export function createCommands(store: CommandStore): Commands {
  return {
    async list(category) {
      const commands = await store.list();
      if (category === undefined) {
        return commands;
      }
      const wanted = category.toLowerCase();
      return commands.filter((command) => command.category.toLowerCase() === wanted);
    },
  };
}
