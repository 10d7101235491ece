import type { ShownWebhook } from '../../domain/webhooks/readability.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import {
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
import { createSessionAccess, type SignedIn } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { toWireAttempt, toWireWebhook } from '../webhook-body.ts';
import { requireChanger } from './record-changes.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

const LIST = '/dashboard/api/guilds/{guildId}/webhooks';
const ONE = `${LIST}/{webhookId}`;

export const listGuildWebhooks = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: LIST,
  params: DashboardGuildParams,
  reply: DashboardWebhooksReply,
} satisfies Route;

export const createGuildWebhook = {
  ...listGuildWebhooks,
  method: 'POST',
  body: NewWebhook,
  reply: NewWebhookReply,
} satisfies Route;

export const getGuildWebhook = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: ONE,
  params: DashboardWebhookParams,
  reply: DashboardWebhookReply,
} satisfies Route;

export const putGuildWebhook = {
  ...getGuildWebhook,
  method: 'PUT',
  body: ChangedWebhook,
  reply: WebhookReply,
} satisfies Route;

export const deleteGuildWebhook = {
  ...getGuildWebhook,
  method: 'DELETE',
  reply: DeletedReply,
} satisfies Route;

export const testGuildWebhook = {
  ...getGuildWebhook,
  method: 'POST',
  path: `${ONE}/test`,
  reply: WebhookTestReply,
} satisfies Route;

export const replayGuildWebhook = {
  ...testGuildWebhook,
  path: `${ONE}/replay`,
  body: Replay,
  reply: WebhookReply,
} satisfies Route;

export const rotateGuildWebhook = {
  ...testGuildWebhook,
  path: `${ONE}/rotate`,
  reply: RotatedReply,
} satisfies Route;

/** The same as with a key. Every change asks the chat platform first whether the person still has the role that it needs. */
export function addWebhooks({ add, parts }: DashboardScope): void {
  const { guilds, webhooks } = parts;
  const access = (route: Route) => createSessionAccess(route, parts);

  async function changing(who: SignedIn, guildId: string) {
    const actor = await requireChanger(who);
    return { guild: await guilds.find(guildId), actor };
  }

  add(listGuildWebhooks, access(listGuildWebhooks), async ({ params }) => {
    const list = await webhooks.list(await guilds.find(params.guildId));
    const { channelUrl = null } = parts;
    return answerJson({ success: true, data: { webhooks: list.map(toDashboardWebhook), channelUrl } });
  });
  add(createGuildWebhook, access(createGuildWebhook), async ({ who, params, body }) => {
    const { guild, actor } = await changing(who, params.guildId);
    const { webhook, secret = null } = await webhooks.create(guild, body, actor);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook), secret } });
  });
  add(getGuildWebhook, access(getGuildWebhook), async ({ params }) => {
    const guild = await guilds.find(params.guildId);
    const { webhook, attempts } = await webhooks.show(guild, params.webhookId);
    const data = { webhook: toDashboardWebhook(webhook), attempts: attempts.map(toWireAttempt) };
    return answerJson({ success: true, data });
  });
  add(putGuildWebhook, access(putGuildWebhook), async ({ who, params, body }) => {
    const { guild, actor } = await changing(who, params.guildId);
    const webhook = await webhooks.update(guild, params.webhookId, body, actor);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook) } });
  });
  add(deleteGuildWebhook, access(deleteGuildWebhook), async ({ who, params }) => {
    const { guild, actor } = await changing(who, params.guildId);
    await webhooks.delete(guild, params.webhookId, actor);
    return answerJson({ success: true, data: { id: params.webhookId } });
  });
  add(testGuildWebhook, access(testGuildWebhook), async ({ who, params }) => {
    const { guild } = await changing(who, params.guildId);
    const attempt = await webhooks.test(guild, params.webhookId);
    return answerJson({ success: true, data: { attempt: toWireAttempt(attempt) } });
  });
  add(replayGuildWebhook, access(replayGuildWebhook), async ({ who, params, body }) => {
    const { guild } = await changing(who, params.guildId);
    const webhook = await webhooks.replay(guild, params.webhookId, body);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook) } });
  });
  add(rotateGuildWebhook, access(rotateGuildWebhook), async ({ who, params }) => {
    const { guild, actor } = await changing(who, params.guildId);
    const { webhook, secret } = await webhooks.rotate(guild, params.webhookId, actor);
    return answerJson({ success: true, data: { webhook: toWireWebhook(webhook), secret } });
  });
}

/** With what the owner of an endpoint that fails has to know. */
function toDashboardWebhook(webhook: ShownWebhook) {
  const { disabledReason, failingSinceMs, keyId = null } = webhook;
  return {
    ...toWireWebhook(webhook),
    disabledReason: disabledReason ?? null,
    keyId,
    failingSince: failingSinceMs === undefined ? null : new Date(failingSinceMs).toISOString(),
  };
}
