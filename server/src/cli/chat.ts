import type { Command } from 'commander';
import { commandLine } from '../command-name.ts';
import { readConfig } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import { parseId } from './arguments.ts';
import { readCommandConfig } from './env-file.ts';
import { printTable } from './output.ts';

/** The commands that connect the chat platform's slash commands with the service. */
export function addChatCommands(program: Command): void {
  const chat = program.command('chat').description('the slash commands of the chat platform');

  chat
    .command('register')
    .description('register the commands with Discord; shows what changes, and repeating it changes nothing')
    .option('--guild <guildId>', 'only in this guild, where changes show at once', parseId)
    .option('--dry-run', 'show what would change')
    .action(register);

  chat
    .command('check')
    .description('check settings, token, key, address and commands, step by step')
    .action(check);
}

const WORDS = { new: 'new', changed: 'changed', unchanged: 'as it is' } as const;

async function register(options: { guild?: string; dryRun?: boolean }, command: Command): Promise<void> {
  const { applicationOf, registerCommands } = await import('../compose/chat-application.ts');
  const application = applicationOf(readCommandConfig(command, readConfig));
  if (application === undefined) {
    throw new OperatorError('CHAT_APPLICATION_ID and CHAT_BOT_TOKEN must be set to register commands');
  }
  const isTrial = options.dryRun === true;
  const changes = await registerCommands(application, { guildId: options.guild, isTrial });
  printTable(
    ['COMMAND', isTrial ? 'WOULD BE' : 'IS', 'DIFFERENCE'],
    changes.map(({ name, change, fields }) => [`/${name}`, WORDS[change], fields.join(', ') || '-']),
  );
}

async function check(_options: object, command: Command): Promise<void> {
  const { checkChat } = await import('../compose/chat-application.ts');
  const steps = await checkChat(readCommandConfig(command, readConfig));
  printTable(
    ['STEP', 'RESULT'],
    steps.map(({ name, fault }) => [name, fault ?? 'ok']),
  );
  const faults = steps.filter(({ fault }) => fault !== undefined);
  if (faults.length > 0) {
    const isCommands = faults.every(({ name }) => name === 'commands');
    throw new OperatorError(
      isCommands
        ? `run "${commandLine('chat register')}"`
        : 'the commands do not work yet: correct the steps above from the top',
    );
  }
}
