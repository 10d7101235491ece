import type { GuildRef } from '../guild-ref.ts';
import type { EventName, Streams } from './event-types.ts';

export const WEBHOOK_KINDS = ['standard', 'discord'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];
export type WebhookStatus = 'active' | 'disabled';
/** Outcomes of an attempt. A `failed` one is repeated, a `given_up` one was the last. */
export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'given_up'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** Limit of endpoints of a guild. */
export const WEBHOOKS_PER_GUILD_MAX = 10;
/** The number of attempts kept per endpoint, and their age. */
export const ATTEMPTS_KEPT_MAX = 200;
export const ATTEMPTS_KEPT_MS = 30 * 86_400_000;
/**
 * Limit of an endpoint's deliveries that wait for another attempt. At the limit, no first attempts are made until
 * some are settled.
 */
export const RETRIES_WAITING_MAX = 10_000;

/**
 * Restricts the delivered events. A missing field does not restrict them. Amounts are decimals as in the interface,
 * not units.
 */
export interface WebhookFilter {
  source?: string | undefined;
  /** Compared with the absolute value of the total. */
  minTotal?: number | undefined;
  playerId?: string | undefined;
  /** `balance.below` is sent when a balance falls below this. */
  balanceBelow?: number | undefined;
}

/** The position of an endpoint: the last processed number of each log. */
export interface Positions {
  feed: number;
  audit: number;
  people: number;
}

/** Secrets and addresses of chat channels are encrypted, with the endpoint's id as part of the label. */
export interface Webhook {
  webhookId: string;
  guild: GuildRef;
  /** Chosen by people, for lists. */
  name: string | undefined;
  kind: WebhookKind;
  /** As it is shown; for a chat channel without its token. */
  url: string;
  sealedUrl: string | undefined;
  events: readonly EventName[];
  filter: WebhookFilter;
  status: WebhookStatus;
  /** The reason, as a sentence. */
  disabledReason: string | undefined;
  sealedSecret: string | undefined;
  /** The secret before the last rotation, and the end of the time for which deliveries are signed with it too. */
  sealedOldSecret: string | undefined;
  oldSecretUntilMs: number | undefined;
  createdAtMs: number;
  /** The time of the first failed delivery since the last success. */
  failingSinceMs: number | undefined;
  positions: Positions;
  /** Incremented by every change and replay, so that a delivery in progress does not overwrite them. */
  generation: number;
  /** Warnings about expiring keys that have been sent. */
  announcedKeys: readonly string[];
  /** The times of the next check for expiring keys and of the next summary. */
  checkAtMs: number | undefined;
  summaryAtMs: number | undefined;
  /** The time of the first delivery that waits for another attempt; undefined when none waits. */
  retryAtMs: number | undefined;
  /**
   * The key that created it or was the last to change it; undefined for a person, and for endpoints of older
   * versions.
   */
  keyId: string | undefined;
}

/** The sealed values of an endpoint, and its identity in the store. */
export type SealedWebhook = Pick<
  Webhook,
  'webhookId' | 'kind' | 'sealedUrl' | 'sealedSecret' | 'sealedOldSecret'
> & { guildNo: number };

/** The columns of an endpoint that hold sealed values. */
export type SealedField = 'sealedUrl' | 'sealedSecret' | 'sealedOldSecret';

export interface NewWebhook
  extends Omit<
    Webhook,
    | 'positions'
    | 'generation'
    | 'failingSinceMs'
    | 'announcedKeys'
    | 'disabledReason'
    | 'status'
    | 'retryAtMs'
    | 'keyId'
  > {
  streams: Streams;
}

export interface WebhookInput {
  /** `null` means none. */
  name?: string | null | undefined;
  url: string;
  kind: WebhookKind;
  events: readonly EventName[];
  filter?: WebhookFilter | undefined;
  /** Sends the summary of last week at once, so that people see what they will get every Monday. */
  hasSummaryNow?: boolean;
}

/** `undefined` keeps the current value. */
export type WebhookUpdate = Partial<WebhookInput> & { status?: WebhookStatus | undefined };

/** A change of an endpoint. `undefined` keeps the current value, `null` clears it. */
export interface WebhookChange {
  /** The endpoint that the change was decided on. When it has changed since, nothing is written. */
  expected?: Pick<Webhook, 'generation' | 'status'> | undefined;
  name?: string | null | undefined;
  url?: string | undefined;
  sealedUrl?: string | undefined;
  events?: readonly EventName[] | undefined;
  filter?: WebhookFilter | undefined;
  status?: WebhookStatus | undefined;
  disabledReason?: string | undefined;
  sealedSecret?: string | undefined;
  sealedOldSecret?: string | null | undefined;
  oldSecretUntilMs?: number | null | undefined;
  summaryAtMs?: number | null | undefined;
  streams: Streams;
  /** These logs are followed from their present end, not from the stored position. */
  fromNow: Streams;
}

/** One request to an endpoint and its result. */
export interface WebhookAttempt {
  attemptId: string;
  eventId: string;
  type: string;
  atMs: number;
  /** The status of the answer; undefined when there was none. */
  status: number | undefined;
  durationMs: number;
  /** The error message; undefined for a success. */
  error: string | undefined;
  /**
   * The beginnings of the sent body and of the answer's body, as `keptPart` cuts them. Undefined when there was none, in rows
   * of older versions, and in lists. Headers are not kept: they have signatures.
   */
  payload?: string | undefined;
  answer?: string | undefined;
}

/** A delivery that failed and waits for its next attempt. */
export interface WebhookRetry {
  eventId: string;
  type: string;
  /** The exact body to send. */
  body: string;
  /** The number of attempts made. */
  attempts: number;
  nextAtMs: number;
  /** The time of the event; undefined for a delivery stored by an older version. */
  eventAtMs: number | undefined;
}

/** A process's claim of endpoints of one kind. */
export interface WebhookClaim {
  holder: string;
  kind: WebhookKind;
  nowMs: number;
  untilMs: number;
  /** Limits of all endpoints, and of those that have failed for a minute or longer. */
  limit: number;
  failingLimit: number;
  /** Limit of the endpoints of one guild, including those that any process already holds. */
  guildLimit: number;
}

/** The work of one process for an endpoint since it last wrote. */
export interface DeliveryProgress {
  guild: GuildRef;
  webhookId: string;
  holder: string;
  generation: number;
  /** True to keep the lease. */
  isHeld: boolean;
  /** The end of a kept lease. After a released lease, no process takes the endpoint before this time. */
  leaseUntilMs: number;
  nowMs: number;
  /** True when the holder releases the endpoint before it has reached the end of every log. */
  hasMore?: boolean;
  positions: Positions;
  attempts: readonly WebhookAttempt[];
  /** Deliveries to add, or to move to another time, that wait for another attempt. */
  retries: readonly WebhookRetry[];
  /** Ids of events that no longer wait: delivered or given up. */
  settled: readonly string[];
  failingSinceMs: number | undefined;
  announcedKeys: readonly string[];
  checkAtMs: number | undefined;
  summaryAtMs: number | undefined;
  disabledReason: string | undefined;
}
