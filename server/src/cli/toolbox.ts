import type { Command } from 'commander';
import { pino } from 'pino';
import { commandLine } from '../command-name.ts';
import { openToolbox, systemClock, systemIds, type Toolbox } from '../compose.ts';
import type { Config } from '../config.ts';
import { readStoreConfig } from './store-line.ts';

/**
 * Opens the configured store for one short command and always closes it again. `create` creates a missing store, for
 * commands that write to it; `expect` is for all others. Neither upgrades an older store.
 */
export async function withToolbox<Result>(
  command: Command,
  schema: 'create' | 'expect',
  work: (toolbox: Toolbox, config: Config) => Promise<Result>,
): Promise<Result> {
  const environment = {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error: Error) {
      console.error(
        `guildbook: the store failed: ${error.message}\n  "${commandLine('verify')}" shows what is wrong with it.`,
      );
      process.exit(1);
    },
  };
  const config = readStoreConfig(command);
  const toolbox = await openToolbox(config, environment, schema);
  try {
    return await work(toolbox, config);
  } finally {
    await toolbox.close();
  }
}
