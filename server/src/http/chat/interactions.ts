import type { ChatInteractions } from '../../domain/chat/interaction.ts';
import { DomainError } from '../../domain/errors.ts';
import { InteractionBody } from '../../wire/chat.ts';
import type { FailedAuthentications } from '../access/failed-authentications.ts';
import { answerText } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import type { Access } from '../pipeline.ts';
import { serve } from '../served.ts';

/** A button's request contains the message that it belongs to. */
const BODY_BYTES_MAX = 64 * 1024;

const route = {
  method: 'POST',
  path: '/chat/interactions',
  access: 'signed',
  errorShape: 'coded',
  body: InteractionBody,
  bodyBytesMax: BODY_BYTES_MAX,
} satisfies Route;

/** The signature covers the body, so it is checked once the body is complete and before anything of it is parsed. */
function createSignedAccess(
  interactions: ChatInteractions,
  { failures }: { failures: FailedAuthentications },
): Access<void> {
  return {
    identify: () => undefined,
    async admit({ request }) {
      try {
        interactions.verify(request.raw.headers, request.body ?? Buffer.alloc(0));
      } catch (error) {
        if (error instanceof DomainError && error.code === 'invalid_signature') {
          await failures.count(request);
        }
        throw error;
      }
    },
  };
}

/** Commands, buttons and suggestions of the chat platform. The route exists when the platform's application is configured. */
export const CHAT_ENDPOINTS = [
  serve(
    route,
    (parts) => parts.chatInteractions && createSignedAccess(parts.chatInteractions, parts),
    ({ chatInteractions }) =>
      async ({ body }) => {
        if (chatInteractions === undefined) {
          throw new DomainError('path_not_found');
        }
        return answerText(await chatInteractions.answer(body));
      },
  ),
];
