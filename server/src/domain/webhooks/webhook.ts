import type { GuildRef } from '../guild-ref.ts';
import type { EventName, Streams } from './event-types.ts';

export const WEBHOOK_KINDS = ['standard', 'discord'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];
export type WebhookStatus = 'active' | 'disabled';
/** Outcomes of an attempt. A failed one is repeated, a given-up one was the last. */
export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'given_up'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** More endpoints of a guild than this are refused. */
export const WEBHOOKS_PER_GUILD_MAX = 10;
/** Attempts that are kept of an endpoint, and for how long. */
export const ATTEMPTS_KEPT_MAX = 200;
export const ATTEMPTS_KEPT_MS = 30 * 86_400_000;
/** Deliveries of an endpoint that may wait for another attempt. Beyond it no first attempts are made until some are settled. */
export const RETRIES_WAITING_MAX = 10_000;

/** Which events are delivered; what is left out makes no difference. Amounts are those of the interface, not units. */
export interface WebhookFilter {
  source?: string | undefined;
  /** Of the total without its sign. */
  minTotal?: number | undefined;
  playerId?: string | undefined;
  /** `balance.below` is told when a balance falls below this. */
  balanceBelow?: number | undefined;
}

/** How far an endpoint has come: the last number of each log that it needs no more. */
export interface Positions {
  feed: number;
  audit: number;
  people: number;
}

/** Secrets and chat channels' addresses are encrypted; what is sealed opens under the endpoint's id alone. */
export interface Webhook {
  webhookId: string;
  guild: GuildRef;
  kind: WebhookKind;
  /** As it is shown: of a chat channel without its token. */
  url: string;
  sealedUrl: string | undefined;
  events: readonly EventName[];
  filter: WebhookFilter;
  status: WebhookStatus;
  /** Why it was disabled, in words. */
  disabledReason: string | undefined;
  sealedSecret: string | undefined;
  /** The secret before the last rotation, and until when deliveries are signed with it too. */
  sealedOldSecret: string | undefined;
  oldSecretUntilMs: number | undefined;
  createdAtMs: number;
  /** Deliveries have failed without a success since then. */
  failingSinceMs: number | undefined;
  positions: Positions;
  /** Moves with every change and replay, so that a delivery under way does not undo it. */
  generation: number;
  /** Warnings about expiring keys that have been given. */
  announcedKeys: readonly string[];
  /** When keys have to be looked at again, or the next summary is due. */
  checkAtMs: number | undefined;
  summaryAtMs: number | undefined;
  /** The key that made it or changed it last; undefined when a person did, or an older version. */
  keyId: string | undefined;
}

/** What is sealed of an endpoint, and where it is stored. */
export type SealedWebhook = Pick<
  Webhook,
  'webhookId' | 'kind' | 'sealedUrl' | 'sealedSecret' | 'sealedOldSecret'
> & { guildNo: number };

/** The columns of an endpoint that hold something sealed. */
export type SealedField = 'sealedUrl' | 'sealedSecret' | 'sealedOldSecret';

export interface NewWebhook
  extends Omit<
    Webhook,
    'positions' | 'generation' | 'failingSinceMs' | 'announcedKeys' | 'disabledReason' | 'status' | 'keyId'
  > {
  streams: Streams;
}

export interface WebhookInput {
  url: string;
  kind: WebhookKind;
  events: readonly EventName[];
  filter?: WebhookFilter | undefined;
  /** Sends the summary of last week at once, so that people see what comes every Monday. */
  hasSummaryNow?: boolean;
}

/** `undefined` keeps the current value. */
export type WebhookUpdate = Partial<WebhookInput> & { status?: WebhookStatus | undefined };

/** A change of an endpoint. `undefined` keeps the current value, `null` clears it. */
export interface WebhookChange {
  /** The endpoint as the change was decided on. When it is no longer so, nothing is changed. */
  expected?: Pick<Webhook, 'generation' | 'status'> | undefined;
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
  /** These logs are followed from now on, not from where they were left. */
  fromNow: Streams;
}

/** One request to an endpoint and what came of it. */
export interface WebhookAttempt {
  attemptId: string;
  eventId: string;
  type: string;
  atMs: number;
  /** Of the answer; undefined when there was none. */
  status: number | undefined;
  durationMs: number;
  /** What went wrong, in words; undefined for a success. */
  error: string | undefined;
}

/** A delivery that failed and waits for its next attempt. */
export interface WebhookRetry {
  eventId: string;
  type: string;
  /** What is sent, to the byte. */
  body: string;
  /** How many attempts were made. */
  attempts: number;
  nextAtMs: number;
  /** When the event happened; undefined for a delivery that an older version kept. */
  eventAtMs: number | undefined;
}

/** What a process claims of the endpoints of one kind. */
export interface WebhookClaim {
  holder: string;
  kind: WebhookKind;
  nowMs: number;
  untilMs: number;
  /** Endpoints in all, and those of them that have failed for a minute or longer. */
  limit: number;
  failingLimit: number;
  /** Endpoints of one guild, with those that any process holds already. */
  guildLimit: number;
}

/** What one delivering process did for an endpoint since it last wrote. */
export interface DeliveryProgress {
  guild: GuildRef;
  webhookId: string;
  holder: string;
  generation: number;
  /** Whether the lease is kept. */
  isHeld: boolean;
  /** The end of a lease that is kept. Nobody takes an endpoint whose lease is given back before this time. */
  leaseUntilMs: number;
  nowMs: number;
  positions: Positions;
  attempts: readonly WebhookAttempt[];
  /** Deliveries that wait for another attempt from now on, or until another time. */
  retries: readonly WebhookRetry[];
  /** Ids of events that wait no more: delivered, or given up. */
  settled: readonly string[];
  failingSinceMs: number | undefined;
  announcedKeys: readonly string[];
  checkAtMs: number | undefined;
  summaryAtMs: number | undefined;
  disabledReason: string | undefined;
}
