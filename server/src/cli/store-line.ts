import type { Command } from 'commander';
import { describeStore, storeExists } from '../compose/stores.ts';
import type { Config } from '../config.ts';
import { readCommandConfig } from './env-file.ts';

/** Prints the store of a command on standard error, so that nobody works on the wrong one. */
export function printStore(command: Command, databaseUrl: string, label = 'Store'): void {
  const { quiet, json } = command.optsWithGlobals<{ quiet?: boolean; json?: boolean }>();
  if (quiet !== true && json !== true) {
    const note = storeExists({ databaseUrl }) ? '' : ' (there is none yet)';
    console.error(`${label}: ${describeStore({ databaseUrl })}${note}`);
  }
}

/** The settings of a command that opens the configured store. */
export function readStoreConfig(command: Command): Config {
  const config = readCommandConfig(command);
  printStore(command, config.databaseUrl);
  return config;
}
