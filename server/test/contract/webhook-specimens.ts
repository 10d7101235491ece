import { randomUUIDv7 } from 'node:crypto';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import type {
  DeliveryProgress,
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookClaim,
} from '../../src/domain/webhooks/webhook.ts';
import { NOON_MS, refOf } from './specimens.ts';

export const ALL = { feed: true, audit: true, people: true };
export const NONE = { feed: false, audit: false, people: false };

export function aWebhook(guild: Guild, changes: Partial<NewWebhook> = {}): NewWebhook {
  return {
    webhookId: randomUUIDv7(),
    guild: refOf(guild),
    name: undefined,
    kind: 'standard',
    url: 'https://example.org/',
    sealedUrl: undefined,
    events: ['transaction.posted'],
    filter: { source: 'shop', minTotal: 1.5 },
    sealedSecret: 'sealed',
    sealedOldSecret: undefined,
    oldSecretUntilMs: undefined,
    createdAtMs: NOON_MS,
    checkAtMs: undefined,
    summaryAtMs: undefined,
    streams: { ...NONE, feed: true },
    ...changes,
  };
}

export function anAttempt(changes: Partial<WebhookAttempt> = {}): WebhookAttempt {
  return {
    attemptId: randomUUIDv7(),
    eventId: 'evt_1',
    type: 'transaction.posted',
    atMs: NOON_MS,
    status: 200,
    durationMs: 12,
    error: undefined,
    ...changes,
  };
}

export function progressOf(
  webhook: Webhook,
  holder: string,
  changes: Partial<DeliveryProgress> = {},
): DeliveryProgress {
  const { guild, webhookId, generation, positions, announcedKeys, checkAtMs, summaryAtMs } = webhook;
  return {
    guild,
    webhookId,
    holder,
    generation,
    isHeld: false,
    leaseUntilMs: NOON_MS,
    nowMs: NOON_MS,
    positions,
    attempts: [],
    retries: [],
    settled: [],
    failingSinceMs: undefined,
    announcedKeys,
    checkAtMs,
    summaryAtMs,
    disabledReason: undefined,
    ...changes,
  };
}

/** Takes the lease of the guild's endpoints alone: the place is shared with other tests. */
export async function claim(store: Store, guild: Guild, holder: string, nowMs = NOON_MS): Promise<Webhook[]> {
  const claimed = await store.webhooks.claim(aClaim({ holder, nowMs, untilMs: nowMs + 1_000 }));
  return claimed.filter((webhook) => webhook.guild.guildNo === guild.guildNo);
}

/** A claim of standard endpoints with bounds that no test reaches. */
export function aClaim(changes: Partial<WebhookClaim> = {}): WebhookClaim {
  const bounds = { limit: 1_000, failingLimit: 1_000, guildLimit: 100 };
  return { holder: 'a', kind: 'standard', nowMs: NOON_MS, untilMs: NOON_MS + 1_000, ...bounds, ...changes };
}
