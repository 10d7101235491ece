import type { Change } from '../model.ts';
import { DISABLED_REASONS } from './disabled-reasons.ts';
import { streamsOf } from './event-types.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

const NOTHING = { feed: false, audit: false, people: false };

/**
 * Disables a webhook whose key was deleted. Its address, events and filter stay, so that a person can enable it
 * again. Nothing changes when a person or another key has changed it since.
 */
export async function disableWithKey(
  store: Pick<WebhookStore, 'update' | 'find'>,
  { guild, webhookId, keyId }: Webhook,
  change: Change,
): Promise<void> {
  const present = await store.find(guild, webhookId);
  if (present === undefined || present.keyId !== keyId || present.status === 'disabled') {
    return;
  }
  const { generation, status, events, kind } = present;
  const streams = streamsOf(events, kind);
  const wanted = {
    status: 'disabled',
    disabledReason: DISABLED_REASONS.keyDeleted,
    streams,
    fromNow: NOTHING,
  } as const;
  const outcome = await store.update(
    guild,
    webhookId,
    { ...wanted, expected: { generation, status } },
    change,
  );
  if (outcome === 'changed') {
    await disableWithKey(store, present, change);
  }
}
