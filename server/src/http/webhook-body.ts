import { isoText } from '../domain/iso-text.ts';
import type { Webhook, WebhookAttempt } from '../domain/webhooks/webhook.ts';

/** An endpoint as the interface and the dashboard show it: nothing that is sealed. */
export function toWireWebhook(webhook: Webhook) {
  const { webhookId, url, kind, events, filter, status, createdAtMs } = webhook;
  return { id: webhookId, url, kind, events, filter, status, createdAt: isoText(createdAtMs) };
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
