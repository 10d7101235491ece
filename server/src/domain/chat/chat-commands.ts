import { findLanguage } from '../../texts/find-language.ts';
import { LANGUAGES, type Language, USUAL_LANGUAGE } from '../../texts/language.ts';
import { textsOf } from '../../texts/texts-of.ts';
import { hasRole, type Role, type RoleStore, roleOf } from '../access/roles.ts';
import { createCache } from '../cache.ts';
import { DomainError } from '../errors.ts';
import type { RateBucket, RateLimiter } from '../ports.ts';
import type { ChatCall, ChatCommand, ChatOption, ChatParts } from './command.ts';
import type {
  ButtonInteraction,
  ChatChoice,
  ChatInteraction,
  CommandInteraction,
  CompletionInteraction,
  GivenOption,
  OptionValue,
} from './interaction.ts';
import { Refusal, replyToFailure } from './refusal.ts';
import type { ChatReply } from './reply.ts';

/** Limits of one person, over all guilds. Suggestions are asked for with every letter that is typed. */
export const COMMANDS_PER_PERSON: RateBucket = { name: 'chat-command', limit: 5, windowMs: 10_000 };
export const PRESSES_PER_PERSON: RateBucket = { name: 'chat-button', limit: 20, windowMs: 10_000 };
export const COMPLETIONS_PER_PERSON: RateBucket = { name: 'chat-completion', limit: 50, windowMs: 10_000 };
/** Limit of one guild: its members share it. */
export const INTERACTIONS_PER_GUILD: RateBucket = { name: 'chat-guild', limit: 100, windowMs: 1_000 };

const CHOICES_MAX = 25;
/** Guilds whose language is known without reading them. */
const LANGUAGES_KEPT_MAX = 1_000;
const stale = () => new Refusal((texts) => [texts.stale]);

/** Answers the interactions of members. Every failure that the rules know becomes a reply; a defect rejects. */
export interface ChatCommands {
  reply(interaction: CommandInteraction | ButtonInteraction): Promise<ChatReply>;
  /** The reply outside of a guild, in the language of the caller's client. */
  replyOutside(locale: string): ChatReply;
  /** The reply when `reply` rejects. */
  replyToDefect(interaction: CommandInteraction | ButtonInteraction): ChatReply;
  /** Suggestions for the option that is being typed; none when it has none, or when the caller may not use the command. */
  suggest(interaction: CompletionInteraction): Promise<ChatChoice[]>;
}

export interface ChatCommandsParts extends ChatParts {
  builtIn: readonly ChatCommand[];
  roles: Pick<RoleStore, 'grants'>;
  limiter: RateLimiter;
  onRateLimited(bucket: string): void;
  /** True for one line of readable text, by the rule of the interface. */
  isLine(text: string): boolean;
}

export function createChatCommands(parts: ChatCommandsParts): ChatCommands {
  const { builtIn, limiter } = parts;
  const byName = new Map(builtIn.map((command) => [command.name, command]));
  const byButton = new Map(
    builtIn.flatMap((command) =>
      Object.entries(command.buttons ?? {}).map(([word, press]) => [word, { command, press }]),
    ),
  );

  /** The languages of the last calls: a reply to somebody who is too quick reads nothing. */
  const languages = createCache<Language>(LANGUAGES_KEPT_MAX);
  /** The texts of the guild, or those of the caller's client while the language of the guild is not known. */
  const textsFor = ({ guildId, caller }: ChatInteraction) =>
    textsOf({ language: languages.get(guildId) ?? languageOf(caller.locale) }).chat;

  async function isAdmitted(bucket: RateBucket, { caller, guildId }: ChatInteraction): Promise<boolean> {
    for (const [limit, subject] of [
      [bucket, caller.chatId],
      [INTERACTIONS_PER_GUILD, guildId],
    ] as const) {
      const { admitted } = await limiter.admit(limit, subject);
      if (!admitted) {
        parts.onRateLimited(limit.name);
        return false;
      }
    }
    return true;
  }

  /** The context of a call, when the caller may use the command in the guild now. */
  async function requireAllowed(
    { guildId, caller, interactionId }: ChatInteraction,
    { name, role }: ChatCommand,
  ): Promise<Omit<ChatCall, 'options'>> {
    const found = await parts.chatStore.find(guildId);
    if (found === undefined) {
      throw new DomainError('guild_not_found');
    }
    const { guild, settings } = found;
    languages.set(guildId, guild.language ?? USUAL_LANGUAGE);
    if (settings.commandsOff.includes(name)) {
      throw new Refusal((texts) => [texts.switchedOff(name)]);
    }
    const findRole = async () => {
      const [grants] = await parts.roles.grants(caller.chatId, [guildId]);
      return roleOf(caller, grants);
    };
    if (role !== undefined) {
      assertRole(await findRole(), role);
    }
    return { interactionId, caller, guild, settings, texts: textsOf(guild).chat, findRole };
  }

  async function runCommand(interaction: CommandInteraction): Promise<ChatReply> {
    const command = byName.get(interaction.name);
    if (command === undefined) {
      throw stale();
    }
    const context = await requireAllowed(interaction, command);
    return command.run(
      { ...context, options: readOptions(command.options, interaction.options, parts) },
      parts,
    );
  }

  async function press(interaction: ButtonInteraction): Promise<ChatReply> {
    const [word = '', ...values] = interaction.action.split(' ');
    const found = byButton.get(word);
    if (found === undefined) {
      throw stale();
    }
    return found.press({ ...(await requireAllowed(interaction, found.command)), values }, parts);
  }

  return {
    async reply(interaction) {
      try {
        const isCommand = interaction.kind === 'command';
        if (!(await isAdmitted(isCommand ? COMMANDS_PER_PERSON : PRESSES_PER_PERSON, interaction))) {
          throw new Refusal((texts) => [texts.tooQuick]);
        }
        return await (isCommand ? runCommand(interaction) : press(interaction));
      } catch (error) {
        const reply = replyToFailure(error, textsFor(interaction));
        if (reply === undefined) {
          throw error;
        }
        return reply;
      }
    },

    replyOutside(locale) {
      const { chat: texts } = textsOf({ language: languageOf(locale) });
      return { lines: [texts.onlyInServers] };
    },

    replyToDefect: (interaction) => ({
      lines: [textsFor(interaction).failed],
      tone: 'bad',
      isSeparate: true,
    }),

    async suggest(interaction) {
      const command = byName.get(interaction.name);
      const option = command?.options.find(({ name }) => name === interaction.focused);
      const typed = interaction.options.find(({ name }) => name === interaction.focused)?.value;
      if (command === undefined || option?.suggest === undefined || typeof typed !== 'string') {
        return [];
      }
      try {
        if (!(await isAdmitted(COMPLETIONS_PER_PERSON, interaction))) {
          return [];
        }
        const context = await requireAllowed(interaction, command);
        const options = new Map(interaction.options.map(({ name, value }) => [name, value]));
        const choices = await option.suggest({ ...context, options }, typed, parts);
        return choices.slice(0, CHOICES_MAX);
      } catch (error) {
        if (replyToFailure(error, textsFor(interaction)) === undefined) {
          throw error;
        }
        return [];
      }
    },
  };
}

function languageOf(locale: string): Language {
  return findLanguage([locale], LANGUAGES);
}

function assertRole(role: Role | undefined, needed: Role): void {
  if (role === undefined || !hasRole(role, needed)) {
    throw new Refusal(({ roleNeeded, roles, roleNeededHint }) => [roleNeeded(roles[needed]), roleNeededHint]);
  }
}

/** The values of the options by name. The platform validates them by the registered command, which may be an older one. */
function readOptions(
  declared: readonly ChatOption[],
  given: readonly GivenOption[],
  { isLine }: Pick<ChatCommandsParts, 'isLine'>,
): ReadonlyMap<string, OptionValue> {
  const values = new Map<string, OptionValue>();
  for (const { name, kind, value } of given) {
    const option = declared.find((one) => one.name === name);
    if (option === undefined || option.kind !== kind || !isWithin(option, value)) {
      throw stale();
    }
    if (kind === 'text' && !isLine(String(value))) {
      throw new Refusal((texts) => [texts.notOneLine(name)]);
    }
    values.set(name, value);
  }
  if (declared.some(({ name, isRequired }) => isRequired === true && !values.has(name))) {
    throw stale();
  }
  return values;
}

/** Ids of members are digits, which the actions of buttons rely on. */
const MEMBER = /^\d{1,20}$/;
const TYPES = {
  text: 'string',
  member: 'string',
  integer: 'number',
  number: 'number',
  flag: 'boolean',
} as const;

function isWithin({ kind, min, max, charactersMax }: ChatOption, value: OptionValue): boolean {
  if (typeof value !== TYPES[kind]) {
    return false;
  }
  if (typeof value === 'number') {
    const isWhole = kind !== 'integer' || Number.isSafeInteger(value);
    return isWhole && Number.isFinite(value) && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  }
  if (kind === 'member' && !MEMBER.test(String(value))) {
    return false;
  }
  return typeof value !== 'string' || value.length <= (charactersMax ?? Infinity);
}
