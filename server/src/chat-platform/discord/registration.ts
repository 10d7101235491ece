import { isDeepStrictEqual } from 'node:util';
import type {
  APIApplicationCommandBasicOption,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  LocalizationMap,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord-api-types/v10';
import type { ChatCommand, ChatOption, Localized } from '../../domain/chat/command.ts';
import { OPTION_TYPES } from './read-interaction.ts';

const CHAT_INPUT: ApplicationCommandType.ChatInput = 1;
const IN_GUILDS: InteractionContextType.Guild = 0;
const BY_GUILDS: ApplicationIntegrationType.GuildInstall = 0;

export type RegisteredCommand = RESTPostAPIChatInputApplicationCommandsJSONBody;

/** Discord's names of our languages. */
const LOCALES = { de: ['de'], fr: ['fr'], es: ['es-ES', 'es-419'], 'pt-BR': ['pt-BR'], ja: ['ja'] } as const;

/** A command as Discord registers it. */
export function toRegistered(command: ChatCommand): RegisteredCommand {
  return {
    type: CHAT_INPUT,
    ...textsOf(command),
    options: command.options.map(toOption),
    contexts: [IN_GUILDS],
    integration_types: [BY_GUILDS],
  };
}

function textsOf({ name, description, localized }: Pick<ChatCommand, 'name' | 'description' | 'localized'>) {
  return {
    name,
    name_localizations: toMap(localized, 0),
    description,
    description_localizations: toMap(localized, 1),
  };
}

function toMap(localized: Localized, part: 0 | 1): LocalizationMap {
  const entries = Object.entries(LOCALES).flatMap(([language, locales]) =>
    // The keys of `LOCALES` are our languages.
    locales.map((locale) => [locale, localized[language as keyof typeof LOCALES][part]]),
  );
  return Object.fromEntries(entries);
}

function toOption(option: ChatOption): APIApplicationCommandBasicOption {
  const { kind, isRequired = false, min, max, charactersMax, suggest } = option;
  const texts = { ...textsOf(option), required: isRequired };
  const bounds = {
    ...(min !== undefined && { min_value: min }),
    ...(max !== undefined && { max_value: max }),
  };
  switch (kind) {
    case 'text':
      return {
        ...texts,
        type: OPTION_TYPES.text,
        ...(charactersMax !== undefined && { max_length: charactersMax }),
        ...(suggest !== undefined && { autocomplete: true }),
      };
    case 'integer':
      return { ...texts, ...bounds, type: OPTION_TYPES.integer };
    case 'number':
      return { ...texts, ...bounds, type: OPTION_TYPES.number };
    case 'flag':
      return { ...texts, type: OPTION_TYPES.flag };
    case 'member':
      return { ...texts, type: OPTION_TYPES.member };
  }
}

/** The change that a registration makes to one command. */
export interface CommandChange {
  name: string;
  change: 'new' | 'changed' | 'unchanged';
  /** The fields that differ. */
  fields: readonly string[];
}

/** Compares a command with the one that Discord has under its name. */
export function compareCommand(wanted: RegisteredCommand, present: object | undefined): CommandChange {
  if (present === undefined) {
    return { name: wanted.name, change: 'new', fields: [] };
  }
  const known = new Map(Object.entries(present));
  const fields = Object.entries(wanted)
    .filter(([field, value]) => !isDeepStrictEqual(plain(value), plain(known.get(field))))
    .map(([field]) => field);
  return { name: wanted.name, change: fields.length === 0 ? 'unchanged' : 'changed', fields };
}

/** Discord leaves out what is false or empty. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value !== 'object' || value === null) {
    return value ?? undefined;
  }
  const kept = Object.entries(value)
    .filter(([, field]) => field !== false && field !== null && field !== undefined)
    .map(([name, field]) => [name, plain(field)] as const);
  return Object.fromEntries(kept);
}
