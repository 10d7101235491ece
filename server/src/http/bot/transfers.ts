import {
  DeletedReply,
  GuildParams,
  GuildTransferParams,
  TransferBody,
  TransferPutReply,
} from '../../wire/bot.ts';
import { EXAMPLE_TRANSFER } from '../../wire/examples.ts';
import { answerJson } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  assertSame,
  BOT,
  BOT_ENDPOINT,
  badAddress,
  forBot,
  RECORD_BYTES_MAX,
  WRITE_ERRORS,
} from './for-bot.ts';

const putTransfer = {
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

const postTransfer = {
  ...putTransfer,
  operationId: 'postTransfer',
  method: 'POST',
  path: '/bot/guilds/{guildId}/transfers',
  summary: 'Write a new transfer',
  description: 'Creates a transfer under a new id (UUIDv7) and returns it.',
  params: GuildParams,
} satisfies Endpoint;

const deleteTransfer = {
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

export const BOT_TRANSFER_ENDPOINTS = [
  forBot(putTransfer, ({ records }) => async ({ params: { guildId, transferId: id }, body }) => {
    assertSame({ id, guildId }, body);
    return answerJson({ success: true, data: await records.transfers.put({ guildId, id }, body, BOT) });
  }),
  forBot(postTransfer, ({ records }) => async ({ params: { guildId }, body }) => {
    assertSame({ guildId, id: undefined }, body);
    return answerJson({ success: true, data: await records.transfers.put({ guildId }, body, BOT) });
  }),
  forBot(deleteTransfer, ({ records }) => async ({ params: { guildId, transferId: id } }) => {
    await records.transfers.delete({ guildId, id }, BOT);
    return answerJson({ success: true, message: 'Transfer deleted' });
  }),
];
