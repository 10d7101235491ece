import path from 'node:path';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { COMMAND } from '../command-name.ts';
import { isPostgres, sqliteFile } from '../compose/stores.ts';
import type { Config } from '../config.ts';
import { fileOf } from './env-file.ts';

export interface FirstSteps {
  /** The commands that create a guild and a key, with the program as it was invoked. */
  commands: readonly string[];
  dashboard: string;
  /** Who can sign in to the dashboard, or the settings that signing in needs. */
  signIn: string;
}

interface Context {
  config: Config;
  logger: Logger;
  command: Command;
  address: string;
}

/** Shows the next commands for a store without a guild: as text on a terminal, otherwise as a log line. */
export function showFirstSteps(context: Context): void {
  const isTerminal = process.stderr.isTTY === true;
  const steps = listFirstSteps(context, isTerminal ? settingsOf(context) : NO_SETTINGS);
  if (isTerminal) {
    console.error(describeFirstSteps(steps));
  } else {
    context.logger.info(steps, 'the store has no guild yet: make one, then a key for it');
  }
}

/**
 * The words that make a command in another terminal use the same store: variables before the program, options after
 * it.
 */
interface Settings {
  before: string;
  behind: string;
}

const NO_SETTINGS: Settings = { before: '', behind: '' };

/** Never shows a password: for PostgreSQL the text names the setting instead. */
function settingsOf({ config, command }: Pick<Context, 'config' | 'command'>): Settings {
  const { envFile } = command.optsWithGlobals<{ envFile?: string }>();
  const behind = envFile === undefined ? '' : ` --env-file ${quoteWord(envFile)}`;
  const isOfFile = fileOf(command).values.DATABASE_URL === process.env.DATABASE_URL;
  if ((process.env.DATABASE_URL ?? '') === '' || isOfFile || isPostgres(config)) {
    return { before: '', behind };
  }
  return { before: `DATABASE_URL=${quoteWord(`sqlite:${path.resolve(sqliteFile(config))}`)} `, behind };
}

export function listFirstSteps(
  { config, address }: Pick<Context, 'config' | 'address'>,
  { before, behind }: Settings,
): FirstSteps {
  const program = `${before}${COMMAND}${behind}`;
  return {
    commands: [
      `${program} guild set <guildId> --name "My Guild" --plan developer`,
      `${program} key create --guild <guildId> --name "my bot" --scopes guild:read,guild:write --expires 90d`,
    ],
    dashboard: `${address}/dashboard/`,
    signIn:
      config.chatClientId === undefined
        ? 'needs CHAT_CLIENT_ID and CHAT_CLIENT_SECRET of an application registered with the chat platform'
        : 'with the chat account of somebody who manages the guild on the chat platform',
  };
}

/** Quotes a word for a shell. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function describeFirstSteps({ commands, dashboard, signIn }: FirstSteps): string {
  return `
The store has no guild yet. In another terminal, in this folder and with the same settings:

${commands.map((line) => `  ${line}`).join('\n')}

The id of a guild is that of the chat platform; on Discord: Developer Mode, Copy Server ID.

  Dashboard  ${dashboard}
  Sign-in    ${signIn}
             (docs/operations.md, "Signing in to the dashboard")
`;
}
