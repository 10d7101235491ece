import { EXAMPLE_ATTEMPT, EXAMPLE_WEBHOOK, EXAMPLE_WEBHOOK_SECRET } from '../../wire/examples.ts';
import { Replay, RotatedReply, WebhookParams, WebhookReply, WebhookTestReply } from '../../wire/webhooks.ts';
import { answerJson } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { toWireAttempt, toWireWebhook } from '../webhook-body.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const COMMON = {
  method: 'POST',
  tag: 'Webhooks',
  access: 'key',
  scope: 'webhooks:manage',
  errorShape: 'coded',
  isBesideList: true,
  params: WebhookParams,
} as const;

const testWebhook = {
  ...COMMON,
  operationId: 'testWebhook',
  path: '/guild/webhooks/{webhookId}/test',
  summary: 'Test a webhook',
  description:
    'Delivers an event of the type `webhook.test` at once and tells what came of it; waits up to 20 seconds for that.',
  bucket: tenPerSecond('test-webhook'),
  reply: WebhookTestReply,
  examples: {
    tested: { success: true, data: { attempt: { ...EXAMPLE_ATTEMPT, type: 'webhook.test' } } },
  },
  errors: [{ code: 'missing_parameters' }, { code: 'webhook_not_found' }],
} satisfies Endpoint;

const replayWebhook = {
  ...COMMON,
  operationId: 'replayWebhook',
  path: '/guild/webhooks/{webhookId}/replay',
  summary: 'Deliver again',
  description:
    'Delivers one event again (`eventId`), or everything since a time (`since`), under the same ids as before. It goes out in ' +
    'the background.',
  bucket: tenPerSecond('replay-webhook'),
  body: Replay,
  reply: WebhookReply,
  examples: { replayed: { success: true, data: { webhook: EXAMPLE_WEBHOOK } } },
  errors: [
    { code: 'missing_parameters' },
    { code: 'invalid_input', detail: 'give either since or eventId' },
    { code: 'webhook_not_found' },
    { code: 'event_not_found' },
    { code: 'webhook_disabled' },
    { code: 'malformed_json' },
    { code: 'body_too_large' },
    { code: 'unsupported_media_type' },
  ],
} satisfies Endpoint;

const rotateWebhook = {
  ...COMMON,
  operationId: 'rotateWebhook',
  path: '/guild/webhooks/{webhookId}/rotate',
  summary: 'Rotate the secret',
  description:
    'Makes a new secret and shows it this once. For 24 hours deliveries are signed with the old one too.',
  bucket: tenPerSecond('rotate-webhook'),
  reply: RotatedReply,
  examples: {
    rotated: { success: true, data: { webhook: EXAMPLE_WEBHOOK, secret: EXAMPLE_WEBHOOK_SECRET } },
  },
  errors: [
    { code: 'missing_parameters' },
    { code: 'invalid_input', detail: 'a chat channel has no secret to rotate' },
    { code: 'webhook_not_found' },
  ],
} satisfies Endpoint;

export const WEBHOOK_RUN_ENDPOINTS = [
  forKey(testWebhook, ({ webhooks }) => async ({ who, params }) => {
    const attempt = await webhooks.test(who.guild, params.webhookId);
    return answerJson({ success: true, data: { attempt: toWireAttempt(attempt) } });
  }),
  forKey(replayWebhook, ({ webhooks }) => async ({ who, params, body }) => {
    const webhook = await webhooks.replay(who.guild, params.webhookId, body);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook) } });
  }),
  forKey(rotateWebhook, ({ webhooks }) => async ({ who, params }) => {
    const actor = { kind: 'key', id: who.keyId } as const;
    const { webhook, secret } = await webhooks.rotate(who.guild, params.webhookId, actor);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook), secret } });
  }),
];
