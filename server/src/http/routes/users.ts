import type { FastifyInstance } from 'fastify';
import type { Verifications } from '../../domain/verifications.ts';
import { EXAMPLE_VERIFICATION } from '../../wire/examples.ts';
import { UserParams, UserReply } from '../../wire/users.ts';
import { verificationBody } from '../answer-text.ts';
import { addEndpoint, type Endpoint, sendBody } from '../endpoint.ts';
import { createGuard, type GuardParts } from '../guard.ts';

export const getVerification = {
  operationId: 'getVerification',
  method: 'GET',
  path: '/users/{query}',
  tag: 'Users',
  summary: 'Look up a verified user',
  description:
    'Finds the person behind a chatId, a playerId or a user name, with the game accounts used before. ' +
    'Verifications are shared by all guilds of the service.',
  access: 'key',
  scope: 'users:read',
  errorShape: 'enveloped',
  params: UserParams,
  reply: UserReply,
  examples: {
    verification: {
      success: true,
      data: EXAMPLE_VERIFICATION,
    },
  },
  errors: [{ code: 'missing_parameters' }, { code: 'user_not_found' }],
} satisfies Endpoint;

export function addUserRoutes(
  app: FastifyInstance,
  parts: GuardParts & { verifications: Verifications },
): void {
  addEndpoint(app, getVerification, createGuard(getVerification, parts), async (request, reply) =>
    sendBody(reply, verificationBody(await parts.verifications.find(request.params.query))),
  );
}
