import { EXAMPLE_ATTEMPT, EXAMPLE_WEBHOOK, EXAMPLE_WEBHOOK_SECRET } from '../../wire/examples.ts';
import {
  ChangedWebhook,
  DeletedReply,
  NewWebhook,
  NewWebhookReply,
  WebhookDetailReply,
  WebhookParams,
  WebhookReply,
  WebhooksReply,
} from '../../wire/webhooks.ts';
import { answerJson } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { toWireAttempt, toWireWebhook } from '../webhook-body.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const COMMON = {
  tag: 'Webhooks',
  access: 'key',
  scope: 'webhooks:manage',
  errorShape: 'coded',
} as const;

const BODY_ERRORS = [
  { code: 'invalid_input', detail: 'url must be an address that begins with https://' },
  { code: 'malformed_json' },
  { code: 'body_too_large' },
  { code: 'unsupported_media_type' },
] as const;

const listWebhooks = {
  ...COMMON,
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/guild/webhooks',
  summary: 'List webhooks',
  description: "The guild's webhooks, oldest first.",
  bucket: tenPerSecond('list-webhooks'),
  reply: WebhooksReply,
  examples: {
    webhooks: { success: true, data: { webhooks: [EXAMPLE_WEBHOOK] } },
    none: { success: true, data: { webhooks: [] } },
  },
  errors: [],
} satisfies Endpoint;

const createWebhook = {
  ...COMMON,
  operationId: 'createWebhook',
  method: 'POST',
  path: '/guild/webhooks',
  summary: 'Create a webhook',
  description:
    'Has events delivered to an address from now on. The answer holds the secret that verifies deliveries, this once. The ' +
    'address is resolved and checked now and at each delivery. A guild has up to 10 webhooks. The key needs the scope that reads ' +
    'the events too: `guild:read` for money and records, `users:read` for verifications.',
  bucket: tenPerSecond('create-webhook'),
  body: NewWebhook,
  reply: NewWebhookReply,
  examples: {
    created: { success: true, data: { webhook: EXAMPLE_WEBHOOK, secret: EXAMPLE_WEBHOOK_SECRET } },
  },
  errors: [{ code: 'missing_fields' }, { code: 'webhook_limit', detail: '10' }, ...BODY_ERRORS],
} satisfies Endpoint;

const getWebhook = {
  ...COMMON,
  operationId: 'getWebhook',
  method: 'GET',
  path: '/guild/webhooks/{webhookId}',
  isBesideList: true,
  summary: 'Get a webhook',
  description: 'One webhook with its last attempts, newest first: up to 200 of the last 30 days.',
  bucket: tenPerSecond('get-webhook'),
  params: WebhookParams,
  reply: WebhookDetailReply,
  examples: {
    webhook: { success: true, data: { webhook: EXAMPLE_WEBHOOK, attempts: [EXAMPLE_ATTEMPT] } },
  },
  errors: [{ code: 'missing_parameters' }, { code: 'webhook_not_found' }],
} satisfies Endpoint;

const putWebhook = {
  ...COMMON,
  operationId: 'putWebhook',
  method: 'PUT',
  path: '/guild/webhooks/{webhookId}',
  isBesideList: true,
  summary: 'Change a webhook',
  description:
    'Changes the fields in the body and keeps the others; the kind cannot change. A webhook that becomes active again gets the events ' +
    'from then on; a replay sends the ones that it missed. The key needs the scopes that read the events before and after the change.',
  bucket: tenPerSecond('put-webhook'),
  params: WebhookParams,
  body: ChangedWebhook,
  reply: WebhookReply,
  examples: { changed: { success: true, data: { webhook: EXAMPLE_WEBHOOK } } },
  errors: [{ code: 'missing_parameters' }, { code: 'webhook_not_found' }, ...BODY_ERRORS],
} satisfies Endpoint;

const deleteWebhook = {
  ...COMMON,
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/guild/webhooks/{webhookId}',
  isBesideList: true,
  summary: 'Delete a webhook',
  description: 'Deletes a webhook with its attempts and with everything that waits for it.',
  bucket: tenPerSecond('delete-webhook'),
  params: WebhookParams,
  reply: DeletedReply,
  examples: { deleted: { success: true, data: { id: EXAMPLE_WEBHOOK.id } } },
  errors: [{ code: 'missing_parameters' }, { code: 'webhook_not_found' }],
} satisfies Endpoint;

export const WEBHOOK_ENDPOINTS = [
  forKey(listWebhooks, ({ webhooks }) => async ({ who }) => {
    const list = await webhooks.list(who.guild);
    return answerJson({ success: true, data: { webhooks: list.map(toWireWebhook) } });
  }),
  forKey(createWebhook, ({ webhooks }) => async ({ who, body }) => {
    const actor = { kind: 'key', id: who.keyId } as const;
    const { webhook, secret = null } = await webhooks.create(who.guild, body, actor, who.scopes);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook), secret } });
  }),
  forKey(getWebhook, ({ webhooks }) => async ({ who, params }) => {
    const { webhook, attempts } = await webhooks.show(who.guild, params.webhookId);
    const data = { webhook: toWireWebhook(webhook), attempts: attempts.map(toWireAttempt) };
    return answerJson({ success: true, data });
  }),
  forKey(putWebhook, ({ webhooks }) => async ({ who, params, body }) => {
    const actor = { kind: 'key', id: who.keyId } as const;
    const webhook = await webhooks.update(who.guild, params.webhookId, body, actor, who.scopes);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook) } });
  }),
  forKey(deleteWebhook, ({ webhooks }) => async ({ who, params }) => {
    await webhooks.delete(who.guild, params.webhookId, { kind: 'key', id: who.keyId });
    return answerJson({ success: true, data: { id: params.webhookId } });
  }),
];
