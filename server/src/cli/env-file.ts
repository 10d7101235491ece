import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { judgeEnvironment, judgeName } from '../config/file-names.ts';
import { readSettingsFile } from '../config/settings-file.ts';
import { findSimilar } from '../config/similar-names.ts';
import { type Config, ConfigError, type EnvironmentVariables, readConfig, SETTINGS } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';

/** Names the settings file when `--env-file` is not given. */
export const ENV_FILE_VARIABLE = 'GUILDBOOK_ENV_FILE';

/** The parsed settings file of the command line or the environment. */
interface SettingsFile {
  values: EnvironmentVariables;
  faults: readonly string[];
}

const NO_FILE: SettingsFile = { values: {}, faults: [] };
const SETTING_NAMES = new Set(Object.values(SETTINGS).map(({ name }) => name));
/** Options that take the name of a variable instead of a value. */
const NAMING_OPTION = /Env$/;

/** By program, because a file such as a pipe can be read only once. */
const filesRead = new WeakMap<Command, SettingsFile>();

/**
 * Adds the file's settings to the environment, where libraries and worker processes find theirs too. The environment
 * takes precedence; an empty variable counts as absent. Names that are no settings are reported here, once per run.
 */
export function applyEnvFile(command: Command): void {
  // A worker process gets all variables from the process that started it.
  if (cluster.isWorker) {
    return;
  }
  const { file, warnings } = readFile(command);
  filesRead.set(programOf(command), file);
  for (const [name, value] of Object.entries(file.values)) {
    if ((process.env[name] ?? '') === '') {
      process.env[name] = value;
    }
  }
  printWarnings(command, warnings);
}

/** The settings of a command. Throws the errors of the file and those of the values together. */
export function readCommandConfig(
  command: Command,
  read: (environment: EnvironmentVariables) => Config = readConfig,
): Config {
  const faults = [...fileOf(command).faults];
  try {
    const config = read(process.env);
    if (faults.length === 0) {
      return config;
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    faults.push(...error.faults);
  }
  throw new ConfigError(faults);
}

/** For a command without settings, which uses only variables of the file. */
export function assertEnvFile(command: Command): void {
  const { faults } = fileOf(command);
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
}

/** The file's settings, for showing where a value comes from. */
export function fileOf(command: Command): SettingsFile {
  return filesRead.get(programOf(command)) ?? NO_FILE;
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}

function readFile(command: Command): { file: SettingsFile; warnings: string[] } {
  const parts = {
    settings: SETTING_NAMES,
    findSimilar: (name: string) => findSimilar(name, SETTING_NAMES),
    others: new Set([ENV_FILE_VARIABLE, ...namesInOptions(command)]),
    environment: { ...process.env },
  };
  const warnings = judgeEnvironment(parts);
  const { path, text } = readText(command);
  const { entries, faults } = readSettingsFile(text, parts.findSimilar);
  for (const entry of entries) {
    const { similar, warning } = judgeName(entry, parts);
    if (similar !== undefined) {
      faults.push({ line: entry.line, fault: `${entry.name} is not a setting; did you mean ${similar}?` });
    }
    if (warning !== undefined) {
      warnings.push(`${path}, line ${entry.line}: ${warning}`);
    }
  }
  const file = {
    values: Object.fromEntries(entries.map(({ name, value }) => [name, value])),
    faults: faults
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, fault }) => `${path}, line ${line}: ${fault}`),
  };
  return { file, warnings };
}

/** The text of the settings file; empty when neither the command line nor the environment names one. */
function readText(command: Command): { path: string; text: string } {
  const { envFile } = command.optsWithGlobals<{ envFile?: string }>();
  const path = envFile ?? process.env[ENV_FILE_VARIABLE] ?? '';
  if (path === '') {
    return { path, text: '' };
  }
  try {
    return { path, text: decode(readFileSync(path)) };
  } catch (error) {
    const by = envFile === undefined ? ENV_FILE_VARIABLE : '--env-file';
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `the file of settings ${path} cannot be read: ${reason}\n  Correct ${by}, or leave it out.`,
      { cause: error },
    );
  }
}

/** A text in another encoding would be parsed as one without settings. */
function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) {
      return text;
    }
  } catch {
    // Thrown below with its own message.
  }
  throw new Error('it is not UTF-8 text');
}

/** Variables that the command line names, as in `copy --to-env TARGET`. */
function namesInOptions(command: Command): string[] {
  const options = Object.entries(command.opts<Record<string, unknown>>());
  return options.flatMap(([option, value]) =>
    NAMING_OPTION.test(option) && typeof value === 'string' ? [value] : [],
  );
}

function printWarnings(command: Command, warnings: readonly string[]): void {
  const { quiet, json } = command.optsWithGlobals<{ quiet?: boolean; json?: boolean }>();
  // `config` shows the settings in force, so it always prints the warnings.
  if (command.name() === 'config' || (quiet !== true && json !== true)) {
    for (const warning of warnings) {
      console.error(`guildbook: warning: ${warning}`);
    }
  }
}
