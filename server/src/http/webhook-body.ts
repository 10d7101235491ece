import { isoText } from '../domain/iso-text.ts';
import type { ShownWebhook } from '../domain/webhooks/readability.ts';
import type { WebhookAttempt } from '../domain/webhooks/webhook.ts';

/** An endpoint as the interface and the dashboard show it, without its sealed values. */
export function toWireWebhook(webhook: ShownWebhook) {
  const { webhookId, name = null, url, kind, events, filter, status, unreadable, createdAtMs } = webhook;
  return {
    id: webhookId,
    name,
    url,
    kind,
    events,
    filter,
    status,
    unreadable: unreadable ?? null,
    createdAt: isoText(createdAtMs),
  };
}

export function toWireAttempt(attempt: WebhookAttempt) {
  const { attemptId, eventId, type, atMs, status, durationMs, error } = attempt;
  return {
    id: attemptId,
    eventId,
    type,
    at: isoText(atMs),
    status: status ?? null,
    durationMs,
    error: error ?? null,
  };
}
