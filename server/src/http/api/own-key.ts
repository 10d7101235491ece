import { toKeyLimits } from '../../domain/access/key-amounts.ts';
import type { ApiKey } from '../../domain/model.ts';
import { EXAMPLE_KEY } from '../../wire/examples.ts';
import { EmptyReply, KeyDeletionQuery, KeyReply } from '../../wire/keys.ts';
import { answerJson } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const getKey = {
  operationId: 'getKey',
  method: 'GET',
  path: '/guild/key',
  tag: 'Key',
  summary: 'Get the calling key',
  description:
    'What the service knows of the key that the request carries, never its value. Any valid key will do.',
  access: 'key',
  bucket: tenPerSecond('get-key'),
  errorShape: 'coded',
  reply: KeyReply,
  examples: { key: { success: true, data: { key: EXAMPLE_KEY } } },
  errors: [],
} satisfies Endpoint;

const deleteOwnKey = {
  operationId: 'deleteKey',
  method: 'DELETE',
  path: '/guild/key',
  tag: 'Key',
  summary: 'Delete the calling key',
  description:
    'The key that the request carries stops working at once, for good. Any valid key will do. The webhooks that it made or changed ' +
    'last are disabled, unless `keepWebhooks` is `true`.',
  access: 'key',
  bucket: tenPerSecond('delete-key'),
  errorShape: 'coded',
  query: KeyDeletionQuery,
  reply: EmptyReply,
  examples: { deleted: { success: true, data: {} } },
  errors: [{ code: 'invalid_input', detail: 'keepWebhooks must be one of: true, false' }],
} satisfies Endpoint;

/** The endpoints with which a key reads and deletes itself. */
export const OWN_KEY_ENDPOINTS = [
  forKey(
    getKey,
    ({ keys }) =>
      async ({ who }) =>
        answerJson({ success: true, data: { key: toWireKey(await keys.show(who)) } }),
  ),
  forKey(deleteOwnKey, ({ keys }) => async ({ who, query }) => {
    const { keyId, guild } = who;
    const keepsWebhooks = query.keepWebhooks === 'true';
    await keys.delete(keyId, { kind: 'key', id: keyId }, { guildId: guild.guildId, keepsWebhooks });
    return answerJson({ success: true, data: {} });
  }),
];

function toWireKey(key: ApiKey): object {
  const { keyId, name, prefix, guild, scopes, createdAtMs, expiresAtMs, lastUsedAtMs } = key;
  return {
    id: keyId,
    name,
    prefix,
    guildId: guild.guildId,
    scopes,
    createdAt: new Date(createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    lastUsedAt: lastUsedAtMs === undefined ? null : new Date(lastUsedAtMs).toISOString(),
    limits: toKeyLimits(key.limits),
    routeLimits: key.routeLimits,
  };
}
