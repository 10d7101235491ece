import {
  ChatParams,
  CommandsBody,
  DeletedReply,
  DischargeBody,
  GuildBody,
  GuildDischargeParams,
  GuildParams,
  GuildReply,
  GuildTransferParams,
  TransferBody,
  TransferPutReply,
  VerificationBody,
} from '../../wire/bot.ts';
import { CommandsReply } from '../../wire/commands.ts';
import {
  EXAMPLE_COMMAND,
  EXAMPLE_DISCHARGE,
  EXAMPLE_TRANSFER,
  EXAMPLE_VERIFICATION,
} from '../../wire/examples.ts';
import { IfMatchHeaders } from '../../wire/exchange-http.ts';
import { DischargeReply } from '../../wire/records.ts';
import { UserReply } from '../../wire/users.ts';
import type { Endpoint } from '../endpoint.ts';

/** What the endpoints of the operator's bot have in common. */
const BOT_ENDPOINT = { tag: 'Bot', access: 'bot', errorShape: 'enveloped' } as const;
const RECORD_BYTES_MAX = 64 * 1024;
const CATALOGUE_BYTES_MAX = 8 * 1024 * 1024;

const WRITE_ERRORS = [
  { code: 'missing_fields' },
  {
    code: 'invalid_input',
    detail: 'name must be text of 1 to 256 characters without control characters or direction marks',
  },
  { code: 'malformed_json' },
  { code: 'body_too_large' },
  { code: 'unsupported_media_type' },
] as const;

const badAddress = (name: string) => ({
  code: 'invalid_input' as const,
  detail: `${name} must be text of 1 to 128 characters without control characters or direction marks`,
});

const EXAMPLE_ETAG = '"mJ0w9qYxA2n5cU8rT1vKbQ"';

export const putGuild = {
  ...BOT_ENDPOINT,
  operationId: 'putGuild',
  method: 'PUT',
  path: '/bot/guilds/{guildId}',
  summary: 'Set up a guild',
  description: 'Creates a guild, or changes what is given and leaves the rest.',
  params: GuildParams,
  body: GuildBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: GuildReply,
  examples: {
    guild: {
      success: true,
      data: {
        guildId: EXAMPLE_DISCHARGE.guildId,
        name: 'The Emberhold Vanguard',
        icon: null,
        ownerChatId: EXAMPLE_VERIFICATION.chatId,
        plan: 'enterprise',
        planUntil: '2027-12-31T00:00:00.000Z',
        settings: { overdraftAllowed: true },
        createdAt: '2026-01-05T09:30:00.000Z',
      },
    },
  },
  errors: WRITE_ERRORS,
} satisfies Endpoint;

export const putDischarge = {
  ...BOT_ENDPOINT,
  operationId: 'putDischarge',
  method: 'PUT',
  path: '/bot/guilds/{guildId}/discharges/{dischargeId}',
  summary: 'Write a discharge',
  description: 'Creates or replaces the discharge of that id. Repeating it changes nothing.',
  params: GuildDischargeParams,
  body: DischargeBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: DischargeReply,
  examples: { discharge: { success: true, data: EXAMPLE_DISCHARGE } },
  errors: [...WRITE_ERRORS, { code: 'guild_not_found' }],
} satisfies Endpoint;

export const postDischarge = {
  ...putDischarge,
  operationId: 'postDischarge',
  method: 'POST',
  path: '/bot/guilds/{guildId}/discharges',
  summary: 'Write a new discharge',
  description: 'Creates a discharge under a new id (UUIDv7) and returns it.',
  params: GuildParams,
} satisfies Endpoint;

export const deleteDischarge = {
  ...BOT_ENDPOINT,
  operationId: 'deleteDischarge',
  method: 'DELETE',
  path: '/bot/guilds/{guildId}/discharges/{dischargeId}',
  summary: 'Delete a discharge',
  description: 'Deletes the discharge of that id.',
  params: GuildDischargeParams,
  reply: DeletedReply,
  examples: { deleted: { success: true, message: 'Discharge deleted' } },
  errors: [badAddress('dischargeId'), { code: 'discharge_not_found' }, { code: 'guild_not_found' }],
} satisfies Endpoint;

export const putTransfer = {
  ...BOT_ENDPOINT,
  operationId: 'putTransfer',
  method: 'PUT',
  path: '/bot/guilds/{guildId}/transfers/{transferId}',
  summary: 'Write a transfer',
  description:
    'Creates or replaces the transfer of that id. Repeating it changes nothing. Times are kept in UTC.',
  params: GuildTransferParams,
  body: TransferBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: TransferPutReply,
  examples: { transfer: { success: true, data: EXAMPLE_TRANSFER } },
  errors: [...WRITE_ERRORS, { code: 'guild_not_found' }],
} satisfies Endpoint;

export const postTransfer = {
  ...putTransfer,
  operationId: 'postTransfer',
  method: 'POST',
  path: '/bot/guilds/{guildId}/transfers',
  summary: 'Write a new transfer',
  description: 'Creates a transfer under a new id (UUIDv7) and returns it.',
  params: GuildParams,
} satisfies Endpoint;

export const deleteTransfer = {
  ...BOT_ENDPOINT,
  operationId: 'deleteTransfer',
  method: 'DELETE',
  path: '/bot/guilds/{guildId}/transfers/{transferId}',
  summary: 'Delete a transfer',
  description: 'Deletes the transfer of that id.',
  params: GuildTransferParams,
  reply: DeletedReply,
  examples: { deleted: { success: true, message: 'Transfer deleted' } },
  errors: [badAddress('transferId'), { code: 'transfer_not_found' }, { code: 'guild_not_found' }],
} satisfies Endpoint;

export const putVerification = {
  ...BOT_ENDPOINT,
  operationId: 'putVerification',
  method: 'PUT',
  path: '/bot/users/{chatId}',
  summary: 'Verify a user',
  description:
    'Links a chat account to a game account. The account before it moves into `pastUsers` by itself, newest first, ' +
    'without repeats. A game account has one holder at a time: when another chat account had it, it is taken from ' +
    'there, and the audit log says so.',
  params: ChatParams,
  body: VerificationBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: UserReply,
  examples: { verification: { success: true, data: EXAMPLE_VERIFICATION } },
  errors: WRITE_ERRORS,
} satisfies Endpoint;

export const deleteVerification = {
  ...BOT_ENDPOINT,
  operationId: 'deleteVerification',
  method: 'DELETE',
  path: '/bot/users/{chatId}',
  summary: 'Forget a user',
  description: 'Deletes a verification together with its past accounts.',
  params: ChatParams,
  reply: DeletedReply,
  examples: { deleted: { success: true, message: 'User deleted' } },
  errors: [badAddress('chatId'), { code: 'user_not_found' }],
} satisfies Endpoint;

export const readCommands = {
  ...BOT_ENDPOINT,
  operationId: 'readCommands',
  method: 'GET',
  path: '/bot/commands',
  summary: 'Read the catalogue with its tag',
  description: 'The whole command catalogue, with the `ETag` that a guarded replacement needs.',
  reply: CommandsReply,
  replyHeaders: { ETag: { description: 'Names this very catalogue.', example: EXAMPLE_ETAG } },
  examples: { commands: { success: true, data: [EXAMPLE_COMMAND] } },
  errors: [],
} satisfies Endpoint;

export const putCommands = {
  ...readCommands,
  operationId: 'putCommands',
  method: 'PUT',
  summary: 'Replace the catalogue',
  description:
    'Puts a list of commands in the place of the whole catalogue, in one commit. With `If-Match` it does so only while ' +
    'the catalogue still has that tag.',
  headers: IfMatchHeaders,
  body: CommandsBody,
  bodyBytesMax: CATALOGUE_BYTES_MAX,
  errors: [...WRITE_ERRORS, { code: 'commands_changed' }],
} satisfies Endpoint;
