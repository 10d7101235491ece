import { type Language, USUAL_LANGUAGE } from '../../texts/language.ts';
import type { BotCommand } from '../model.ts';
import { balance } from './balance.ts';
import { catalogue } from './catalogue.ts';
import { CHAT_LANGUAGES, type ChatCommand } from './command.ts';
import { history } from './history.ts';
import { leaderboard } from './leaderboard.ts';
import { pay } from './pay.ts';
import { post } from './post.ts';
import { receipt } from './receipt.ts';
import { discharge, transfer } from './record.ts';
import { reverse } from './reverse.ts';
import { whois } from './whois.ts';

/** The built-in commands, in the order of the catalogue. */
export const CHAT_COMMANDS: readonly ChatCommand[] = [
  balance,
  history,
  pay,
  leaderboard,
  whois,
  discharge,
  transfer,
  post,
  reverse,
  receipt,
  catalogue,
];

/** The category of the built-in commands in the catalogue. */
export const BUILT_IN_CATEGORY = 'Guildbook';

/** The same commands as entries of the catalogue. */
export const BUILT_IN_COMMANDS: readonly BotCommand[] = CHAT_COMMANDS.map((command) => ({
  category: BUILT_IN_CATEGORY,
  name: command.name,
  description: command.description,
  extendedHelp: helpOf(command),
  preconditions: command.role === undefined ? [] : [`Role ${command.role} or higher in the dashboard`],
}));

const LOCALIZED = new Map(
  BUILT_IN_COMMANDS.map((command, index) => [command, CHAT_COMMANDS[index]?.localized]),
);

/**
 * The description of a command of the catalogue in a guild's language, or in English when commands are not translated into it.
 * Those of the operator's bot have one description.
 */
export function describeIn(command: BotCommand, language: Language = USUAL_LANGUAGE): string {
  const chatLanguage = CHAT_LANGUAGES.find((one) => one === language);
  const localized = LOCALIZED.get(command);
  return chatLanguage === undefined || localized === undefined
    ? command.description
    : localized[chatLanguage][1];
}

function helpOf({ name, options }: ChatCommand): string {
  const usage = options.map((option) => (option.isRequired === true ? option.name : `[${option.name}]`));
  const lines = options.map((option) => `${option.name}: ${option.description}`);
  return [`Usage: ${[`/${name}`, ...usage].join(' ')}`, ...lines].join('\n');
}
