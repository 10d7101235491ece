import type { Service } from '../compose.ts';
import type { Actor } from '../domain/model.ts';
import type { EventName } from '../domain/webhooks/event-types.ts';
import { maskUrl } from '../domain/webhooks/url.ts';

const EVENTS: readonly EventName[] = [
  'transaction.*',
  'balance.below',
  'discharge.*',
  'transfer.*',
  'key.*',
  'summary.weekly',
];

export interface ChannelWebhook {
  guildId: string;
  /** The address of the channel. Its port changes when the usual one is in use. */
  url: string;
  /** The webhook of the last start. */
  webhookId?: string;
  /** The author of the changes in the audit log. */
  actor: Actor;
}

/**
 * Delivers the guild's events to the demo's channel: creates the webhook once, and saves the address again when the
 * channel has another port or the key has changed.
 */
export async function keepChannelWebhook(
  { guilds, webhooks }: Service,
  { guildId, url, webhookId, actor }: ChannelWebhook,
): Promise<string> {
  const guild = await guilds.find(guildId);
  if (webhookId === undefined) {
    const input = {
      name: 'Channel of the try-out',
      url,
      kind: 'discord',
      events: EVENTS,
      hasSummaryNow: true,
    } as const;
    const { webhook } = await webhooks.create(guild, input, actor);
    return webhook.webhookId;
  }
  const kept = (await webhooks.list(guild)).find((webhook) => webhook.webhookId === webhookId);
  if (kept !== undefined && (kept.url !== maskUrl(new URL(url)) || kept.unreadable !== undefined)) {
    await webhooks.update(guild, webhookId, { url }, actor);
  }
  return webhookId;
}
