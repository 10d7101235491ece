import { ChatParams, DeletedReply, VerificationBody } from '../../wire/bot.ts';
import { EXAMPLE_VERIFICATION } from '../../wire/examples.ts';
import { UserReply } from '../../wire/users.ts';
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

const putVerification = {
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

const deleteVerification = {
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

export const BOT_USER_ENDPOINTS = [
  forBot(putVerification, ({ verifications }) => async ({ params, body }) => {
    assertSame(params, body);
    const data = await verifications.verify({ ...body, chatId: params.chatId }, BOT);
    return answerJson({ success: true, data });
  }),
  forBot(deleteVerification, ({ verifications }) => async ({ params }) => {
    await verifications.forget(params.chatId, BOT);
    return answerJson({ success: true, message: 'User deleted' });
  }),
];
