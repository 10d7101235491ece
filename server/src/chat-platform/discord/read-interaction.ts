import type { ApplicationCommandOptionType, ComponentType, InteractionType } from 'discord-api-types/v10';
import { standingIn } from '../../domain/access/managed-guilds.ts';
import type { ChatCaller, ChatInteraction, GivenOption } from '../../domain/chat/interaction.ts';
import { DomainError } from '../../domain/errors.ts';

/** A request of Discord, as far as we use it. */
export type DiscordRequest =
  | { kind: 'ping' }
  /** An interaction outside of a guild, where no command works. */
  | { kind: 'direct'; locale: string }
  /** `token` is valid for 15 minutes and lets us change the reply. */
  | { kind: 'interaction'; interaction: ChatInteraction; token: string };

// The values of the types' enums, which exist as types only. The compiler checks each of them.
const PING: InteractionType.Ping = 1;
const COMMAND: InteractionType.ApplicationCommand = 2;
const COMPONENT: InteractionType.MessageComponent = 3;
const COMPLETION: InteractionType.ApplicationCommandAutocomplete = 4;
const BUTTON: ComponentType.Button = 2;
const CHAT_INPUT = 1;

export const OPTION_TYPES = {
  text: 3 satisfies ApplicationCommandOptionType.String,
  integer: 4 satisfies ApplicationCommandOptionType.Integer,
  flag: 5 satisfies ApplicationCommandOptionType.Boolean,
  member: 6 satisfies ApplicationCommandOptionType.User,
  number: 10 satisfies ApplicationCommandOptionType.Number,
} as const;
const KINDS = new Map<unknown, GivenOption['kind']>(
  Object.entries(OPTION_TYPES).map(([kind, type]) => [type, kind as keyof typeof OPTION_TYPES]),
);

const OPTIONS_MAX = 25;
const ROLES_MAX = 500;
const SNOWFLAKE = /^\d{1,20}$/;

/** Reads a request whose signature is right. Fields that are not used are not looked at. */
export function readInteraction(body: unknown): DiscordRequest {
  const request = objectOf(body);
  if (request.type === PING) {
    return { kind: 'ping' };
  }
  const interactionId = idOf(request.id);
  const token = textOf(request.token);
  const isCommand = request.type === COMMAND || request.type === COMPONENT;
  if (isCommand && (request.guild_id === undefined || request.member === undefined)) {
    return { kind: 'direct', locale: localeOf(request.locale) };
  }
  const base = {
    interactionId,
    guildId: idOf(request.guild_id),
    caller: callerOf(objectOf(request.member), request.locale),
  };
  const data = objectOf(request.data);
  return { kind: 'interaction', token, interaction: { ...base, ...detailsOf(request.type, data) } };
}

type Details =
  | Pick<Extract<ChatInteraction, { kind: 'command' }>, 'kind' | 'name' | 'options'>
  | Pick<Extract<ChatInteraction, { kind: 'button' }>, 'kind' | 'action'>
  | Pick<Extract<ChatInteraction, { kind: 'completion' }>, 'kind' | 'name' | 'focused' | 'options'>;

function detailsOf(type: unknown, data: Readonly<Record<string, unknown>>): Details {
  if (type === COMPONENT && data.component_type === BUTTON) {
    return { kind: 'button', action: textOf(data.custom_id) };
  }
  if ((type !== COMMAND && type !== COMPLETION) || (data.type ?? CHAT_INPUT) !== CHAT_INPUT) {
    throw refused('the kind of interaction is not known');
  }
  const given = listOf(data.options ?? [], OPTIONS_MAX).map(objectOf);
  const options = given.map(optionOf);
  const name = textOf(data.name);
  if (type === COMMAND) {
    return { kind: 'command', name, options };
  }
  const focused = given.find((option) => option.focused === true);
  return { kind: 'completion', name, options, focused: textOf(focused?.name) };
}

function callerOf(member: Readonly<Record<string, unknown>>, locale: unknown): ChatCaller {
  const permissions = textOf(member.permissions);
  if (!SNOWFLAKE.test(permissions)) {
    throw refused('permissions must be digits');
  }
  return {
    chatId: idOf(objectOf(member.user).id),
    chatRoleIds: listOf(member.roles, ROLES_MAX).map(idOf),
    // The owner of a guild has all permissions.
    standing: standingIn({ isOwner: false, permissions: BigInt(permissions) }),
    locale: localeOf(locale),
  };
}

function localeOf(locale: unknown): string {
  return typeof locale === 'string' ? locale : 'en';
}

function optionOf(option: Readonly<Record<string, unknown>>): GivenOption {
  const { value } = option;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw refused('an option has no value');
  }
  return { name: textOf(option.name), kind: KINDS.get(option.type) ?? 'other', value };
}

const refused = (detail: string) => new DomainError('invalid_input', { detail });

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('an object is missing');
  }
  // An object has fields by name; each of them is checked where it is used.
  return value as Readonly<Record<string, unknown>>;
}

function listOf(value: unknown, max: number): unknown[] {
  if (!Array.isArray(value) || value.length > max) {
    throw refused(`a list of at most ${max} is missing`);
  }
  return value;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') {
    throw refused('a text is missing');
  }
  return value;
}

function idOf(value: unknown): string {
  const id = textOf(value);
  if (!SNOWFLAKE.test(id)) {
    throw refused('an id must be digits');
  }
  return id;
}
