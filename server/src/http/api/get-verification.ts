import { continueWith } from '../../domain/maybe-promise.ts';
import type { Verification } from '../../domain/model.ts';
import { EXAMPLE_VERIFICATION } from '../../wire/examples.ts';
import { UserParams, UserReply } from '../../wire/users.ts';
import { type Body, toBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { createCachedBodies } from './cached-bodies.ts';
import { forKey } from './for-key.ts';

const route = {
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
  unknownParameters: 'named',
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

export const getVerification = forKey(route, ({ store, verifications }) => {
  const bodies = createCachedBodies();
  // Verifications are shared by all guilds, so one cached body serves every key that may read them.
  return ({ params: { query } }) =>
    bodies.answer(query, store.revision('verifications'), () =>
      continueWith(verifications.find(query), verificationBody),
    );
});

/** Lists every field, so that no other field of a store gets into the answer. */
function verificationBody({ chatId, playerId, username, pastUsers }: Verification): Body {
  const past = pastUsers.map((user) => ({ playerId: user.playerId, username: user.username }));
  return toBody(JSON.stringify({ success: true, data: { chatId, playerId, username, pastUsers: past } }));
}
