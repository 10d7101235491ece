import { actorOf } from '../../domain/access/actors.ts';
import type { ShownWebhook } from '../../domain/webhooks/readability.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import {
  DashboardAttemptParams,
  DashboardAttemptReply,
  DashboardWebhookParams,
  DashboardWebhookReply,
  DashboardWebhooksReply,
} from '../../wire/dashboard-webhooks.ts';
import {
  ChangedWebhook,
  DeletedReply,
  NewWebhook,
  NewWebhookReply,
  Replay,
  RotatedReply,
  WebhookReply,
  WebhookTestReply,
} from '../../wire/webhooks.ts';
import type { SessionRoute } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { toWireAttempt, toWireWebhook } from '../webhook-body.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const LIST = '/dashboard/api/guilds/{guildId}/webhooks';
const ONE = `${LIST}/{webhookId}`;

const listGuildWebhooks = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: LIST,
  params: DashboardGuildParams,
  reply: DashboardWebhooksReply,
} satisfies Route;

const createGuildWebhook = {
  ...listGuildWebhooks,
  method: 'POST',
  body: NewWebhook,
  reply: NewWebhookReply,
} satisfies Route;

const ONE_WEBHOOK = { ...SESSION_ROUTE, path: ONE, params: DashboardWebhookParams } as const;

const getGuildWebhook = {
  ...ONE_WEBHOOK,
  method: 'GET',
  reply: DashboardWebhookReply,
  nullFor: 'webhook_not_found',
} satisfies SessionRoute;

const getWebhookAttempt = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${ONE}/attempts/{attemptId}`,
  params: DashboardAttemptParams,
  reply: DashboardAttemptReply,
  nullFor: 'event_not_found',
} satisfies SessionRoute;

const putGuildWebhook = {
  ...ONE_WEBHOOK,
  method: 'PUT',
  body: ChangedWebhook,
  reply: WebhookReply,
} satisfies Route;

const deleteGuildWebhook = {
  ...ONE_WEBHOOK,
  method: 'DELETE',
  reply: DeletedReply,
} satisfies Route;

const testGuildWebhook = {
  ...ONE_WEBHOOK,
  method: 'POST',
  path: `${ONE}/test`,
  reply: WebhookTestReply,
} satisfies Route;

const replayGuildWebhook = {
  ...testGuildWebhook,
  path: `${ONE}/replay`,
  body: Replay,
  reply: WebhookReply,
} satisfies Route;

const rotateGuildWebhook = {
  ...testGuildWebhook,
  path: `${ONE}/rotate`,
  reply: RotatedReply,
} satisfies Route;

/** The same operations as with a key. */
export const GUILD_WEBHOOK_ENDPOINTS = [
  forSession(listGuildWebhooks, ({ guilds, webhooks, channelUrl = null }) => async ({ params }) => {
    const list = await webhooks.list(await guilds.find(params.guildId));
    return answerJson({ success: true, data: { webhooks: list.map(toDashboardWebhook), channelUrl } });
  }),
  forSession(createGuildWebhook, ({ guilds, webhooks }) => async ({ who, params, body }) => {
    const actor = actorOf(who.session);
    const guild = await guilds.find(params.guildId);
    const { webhook, secret = null } = await webhooks.create(guild, body, actor);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook), secret } });
  }),
  forSession(getGuildWebhook, ({ guilds, webhooks }) => async ({ params }) => {
    const guild = await guilds.find(params.guildId);
    const { webhook, attempts } = await webhooks.show(guild, params.webhookId);
    const data = { webhook: toDashboardWebhook(webhook), attempts: attempts.map(toWireAttempt) };
    return answerJson({ success: true, data });
  }),
  forSession(getWebhookAttempt, ({ guilds, webhooks }) => async ({ params }) => {
    const guild = await guilds.find(params.guildId);
    const attempt = await webhooks.attempt(guild, params.webhookId, params.attemptId);
    const { payload = null, answer = null } = attempt;
    return answerJson({ success: true, data: { attempt: { ...toWireAttempt(attempt), payload, answer } } });
  }),
  forSession(putGuildWebhook, ({ guilds, webhooks }) => async ({ who, params, body }) => {
    const actor = actorOf(who.session);
    const guild = await guilds.find(params.guildId);
    const webhook = await webhooks.update(guild, params.webhookId, body, actor);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook) } });
  }),
  forSession(deleteGuildWebhook, ({ guilds, webhooks }) => async ({ who, params }) => {
    const actor = actorOf(who.session);
    const guild = await guilds.find(params.guildId);
    await webhooks.delete(guild, params.webhookId, actor);
    return answerJson({ success: true, data: { id: params.webhookId } });
  }),
  forSession(testGuildWebhook, ({ guilds, webhooks }) => async ({ params }) => {
    const guild = await guilds.find(params.guildId);
    const attempt = await webhooks.test(guild, params.webhookId);
    return answerJson({ success: true, data: { attempt: toWireAttempt(attempt) } });
  }),
  forSession(replayGuildWebhook, ({ guilds, webhooks }) => async ({ params, body }) => {
    const guild = await guilds.find(params.guildId);
    const webhook = await webhooks.replay(guild, params.webhookId, body);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook) } });
  }),
  forSession(rotateGuildWebhook, ({ guilds, webhooks }) => async ({ who, params }) => {
    const actor = actorOf(who.session);
    const guild = await guilds.find(params.guildId);
    const { webhook, secret } = await webhooks.rotate(guild, params.webhookId, actor);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook), secret } });
  }),
];

/** The wire form plus the fields that explain a failing endpoint to its owner. */
function toDashboardWebhook(webhook: ShownWebhook) {
  const { disabledReason, failingSinceMs, keyId = null } = webhook;
  return {
    ...toWireWebhook(webhook),
    disabledReason: disabledReason ?? null,
    keyId,
    failingSince: failingSinceMs === undefined ? null : new Date(failingSinceMs).toISOString(),
  };
}
