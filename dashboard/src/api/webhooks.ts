import { queryOptions } from '@tanstack/react-query';
import { webhooksPath } from './first-paths.ts';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

export type Webhook = Reply<'DashboardWebhooksReply'>['data']['webhooks'][number];
export type WebhookDetail = NonNullable<Reply<'DashboardWebhookReply'>['data']>;
export type Attempt = WebhookDetail['attempts'][number];
export type AttemptDetail = NonNullable<Reply<'DashboardAttemptReply'>['data']>['attempt'];
export type WebhookKind = Webhook['kind'];
export type WebhookFilter = Webhook['filter'];

export interface WebhookOrder {
  /** Null for none. */
  name?: string | null;
  url: string;
  kind: WebhookKind;
  events: string[];
  filter: WebhookFilter;
}

/** A change of a webhook. Missing fields keep their values. */
export type WebhookChange = Partial<Omit<WebhookOrder, 'kind'>> & { status?: Webhook['status'] };

/** One event, or everything since a time. */
export type Replay = { eventId: string } | { since: string };

/** Identifies a webhook of a guild. */
export interface WebhookPlace {
  guildId: string;
  webhookId: string;
}

// People watch the result of a test or of a change.
const refreshMs = 5_000;

export function webhooksQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'webhooks'],
    queryFn: async () => (await request('DashboardWebhooksReply', webhooksPath(guildId))).data,
    refetchInterval: refreshMs,
  });
}

/** Null when there is no such webhook: it may have been deleted. */
export function webhookQuery({ guildId, webhookId }: WebhookPlace) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'webhooks', webhookId],
    queryFn: async () =>
      (await request('DashboardWebhookReply', guildPath(guildId, ['webhooks', webhookId]))).data,
    refetchInterval: refreshMs,
  });
}

/** One attempt with the beginnings of the sent body and of the answer. Null when it is no longer kept. */
export function attemptQuery({ guildId, webhookId }: WebhookPlace, attemptId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'webhook-attempts', webhookId, attemptId],
    queryFn: async () => {
      const path = guildPath(guildId, ['webhooks', webhookId, 'attempts', attemptId]);
      return (await request('DashboardAttemptReply', path)).data?.attempt ?? null;
    },
    // An attempt never changes. One that was not found may be there the next time.
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
  });
}

/** Creates a webhook. The answer has its secret, which is sent only once; a chat channel has none. */
export async function createWebhook(session: Session, guildId: string, body: WebhookOrder) {
  const { csrfToken } = session;
  const path = guildPath(guildId, ['webhooks']);
  const { data } = await request('NewWebhookReply', path, { method: 'POST', body, csrfToken });
  return { webhookId: data.webhook.id, secret: data.secret };
}

export async function saveWebhook(session: Session, place: WebhookPlace, body: WebhookChange): Promise<void> {
  const { csrfToken } = session;
  await request('WebhookReply', pathOf(place), { method: 'PUT', body, csrfToken });
}

export async function deleteWebhook(session: Session, place: WebhookPlace): Promise<void> {
  const { csrfToken } = session;
  await request('DeletedReply', pathOf(place), { method: 'DELETE', csrfToken });
}

/** Sends a test at once. When the endpoint refuses it, the request still succeeds. */
export async function testWebhook(session: Session, place: WebhookPlace): Promise<Attempt> {
  const { csrfToken } = session;
  const { data } = await request('WebhookTestReply', pathOf(place, 'test'), { method: 'POST', csrfToken });
  return data.attempt;
}

export async function replayWebhook(session: Session, place: WebhookPlace, body: Replay): Promise<void> {
  const { csrfToken } = session;
  await request('WebhookReply', pathOf(place, 'replay'), { method: 'POST', body, csrfToken });
}

/** Creates a new secret and returns it; the service sends it only once. */
export async function rotateWebhook(session: Session, place: WebhookPlace): Promise<string> {
  const { csrfToken } = session;
  const { data } = await request('RotatedReply', pathOf(place, 'rotate'), { method: 'POST', csrfToken });
  return data.secret;
}

function pathOf({ guildId, webhookId }: WebhookPlace, ...rest: string[]): string {
  return guildPath(guildId, ['webhooks', webhookId, ...rest]);
}
