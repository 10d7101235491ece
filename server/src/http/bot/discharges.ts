import {
  DeletedReply,
  DischargeBody,
  DischargePutReply,
  GuildDischargeParams,
  GuildParams,
} from '../../wire/bot.ts';
import { EXAMPLE_DISCHARGE } from '../../wire/examples.ts';
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

const putDischarge = {
  ...BOT_ENDPOINT,
  operationId: 'putDischarge',
  method: 'PUT',
  path: '/bot/guilds/{guildId}/discharges/{dischargeId}',
  summary: 'Write a discharge',
  description: 'Creates or replaces the discharge of that id. Repeating it changes nothing.',
  params: GuildDischargeParams,
  body: DischargeBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: DischargePutReply,
  examples: { discharge: { success: true, data: EXAMPLE_DISCHARGE } },
  errors: [...WRITE_ERRORS, { code: 'guild_not_found' }],
} satisfies Endpoint;

const postDischarge = {
  ...putDischarge,
  operationId: 'postDischarge',
  method: 'POST',
  path: '/bot/guilds/{guildId}/discharges',
  summary: 'Write a new discharge',
  description: 'Creates a discharge under a new id (UUIDv7) and returns it.',
  params: GuildParams,
} satisfies Endpoint;

const deleteDischarge = {
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

export const BOT_DISCHARGE_ENDPOINTS = [
  forBot(putDischarge, ({ records }) => async ({ params: { guildId, dischargeId: id }, body }) => {
    assertSame({ id, guildId }, body);
    return answerJson({ success: true, data: await records.discharges.put({ guildId, id }, body, BOT) });
  }),
  forBot(postDischarge, ({ records }) => async ({ params: { guildId }, body }) => {
    assertSame({ guildId, id: undefined }, body);
    return answerJson({ success: true, data: await records.discharges.put({ guildId }, body, BOT) });
  }),
  forBot(deleteDischarge, ({ records }) => async ({ params: { guildId, dischargeId: id } }) => {
    await records.discharges.delete({ guildId, id }, BOT);
    return answerJson({ success: true, message: 'Discharge deleted' });
  }),
];
