import { Command, Help, type Option } from 'commander';
import { COMMAND, commandLine } from '../command-name.ts';
import { VERSION } from '../version.ts';
import { addAccountCommands } from './account.ts';
import { addArchiveCommand } from './archive.ts';
import { addBackupCommands } from './backup.ts';
import { addBoardCommands } from './board.ts';
import { addChatCommands } from './chat.ts';
import { addCopyCommand } from './copy.ts';
import { addDemoCommand } from './demo.ts';
import { addDistributeCommand } from './distribute.ts';
import { applyEnvFile, ENV_FILE_VARIABLE } from './env-file.ts';
import { addExportCommand } from './export.ts';
import { addGuildCommands } from './guild.ts';
import { addImportCommand } from './import.ts';
import { addKeyCommands } from './key.ts';
import { addSealCommands } from './seal.ts';
import { addServeCommand } from './serve.ts';
import { addToolCommands } from './tools.ts';

/** The whole command line. Created for each run, because commander keeps state. */
export function createProgram(): Command {
  const program = new Command(COMMAND)
    .description('Guild records and ledger service')
    .version(VERSION, '--version', 'print the version')
    .helpCommand(false)
    .option('--env-file <file>', `read settings from this file, or the one that ${ENV_FILE_VARIABLE} names`)
    .option('--quiet', 'do not print which store is used, nor warnings about settings')
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .hook('preAction', (_program, command) => applyEnvFile(command))
    .showHelpAfterError('(run with --help to see how it is used)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Settings come from the environment and from the file of --env-file; the environment wins. "${commandLine('config')}" lists them all.

Examples:
  ${commandLine('demo')}    try it with sample data
  ${commandLine('guild set 8142 --name "My Guild" --plan developer')}
  ${commandLine('key create --guild 8142 --name bot --scopes guild:read,guild:write --expires 90d')}
  ${commandLine('serve')}   run the service`,
    );
  addServeCommand(program);
  addDemoCommand(program);
  addGuildCommands(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addBoardCommands(program);
  addChatCommands(program);
  addImportCommand(program);
  addExportCommand(program);
  addBackupCommands(program);
  addCopyCommand(program);
  addArchiveCommand(program);
  addDistributeCommand(program);
  addSealCommands(program);
  addToolCommands(program);
  return program;
}

/** Commander's description, with a mark for required options. */
function describeOption(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}
