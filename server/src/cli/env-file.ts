import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { OperatorError } from '../domain/errors.ts';

/** Names the file of settings where `--env-file` does not. */
export const ENV_FILE_VARIABLE = 'GUILDBOOK_ENV_FILE';

/** The settings of the file that the command line or the environment names; none when there is no such file named. */
export function readEnvFile(command: Command): Readonly<Record<string, string | undefined>> {
  const { envFile } = command.optsWithGlobals<{ envFile?: string }>();
  const file = envFile ?? process.env[ENV_FILE_VARIABLE] ?? '';
  if (file === '') {
    return {};
  }
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    const by = envFile === undefined ? ENV_FILE_VARIABLE : '--env-file';
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `the file of settings ${file} cannot be read: ${reason}\n  Correct ${by}, or leave it out.`,
      { cause: error },
    );
  }
}

/**
 * Adds the file's settings to the environment, where libraries and worker processes find theirs too. What the environment
 * has already wins; an empty variable counts as absent.
 */
export function applyEnvFile(command: Command): void {
  for (const [name, value] of Object.entries(readEnvFile(command))) {
    if ((process.env[name] ?? '') === '') {
      process.env[name] = value;
    }
  }
}
