import { ChatParams, DeletedReply, VerificationBody } from '../../wire/bot.ts';
import { EXAMPLE_VERIFICATION } from '../../wire/examples.ts';
import { UserReply } from '../../wire/users.ts';
import { answerJson } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  assertSame,
  BOT,
  BOT_ENDPOINT,
  type BotScope,
  badAddress,
  RECORD_BYTES_MAX,
  WRITE_ERRORS,
} from './scope.ts';

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

export function addBotUsers({ add, access, parts: { verifications } }: BotScope): void {
  add(putVerification, access, async ({ params, body }) => {
    assertSame(params, body);
    const data = await verifications.verify({ ...body, chatId: params.chatId }, BOT);
    return answerJson({ success: true, data });
  });
  add(deleteVerification, access, async ({ params }) => {
    await verifications.forget(params.chatId, BOT);
    return answerJson({ success: true, message: 'User deleted' });
  });
}
