import type { GuildRef } from '../guild-ref.ts';
import type { Change } from '../model.ts';
import type {
  DeliveryProgress,
  NewWebhook,
  Positions,
  SealedField,
  SealedWebhook,
  Webhook,
  WebhookAttempt,
  WebhookChange,
  WebhookClaim,
  WebhookRetry,
} from './webhook.ts';

/** Endpoints, their positions and their pending deliveries. Endpoints of other guilds are never returned. */
export interface WebhookStore {
  /**
   * Adds an endpoint that receives everything committed later. Rejects with `webhook_limit` when the guild has
   * `WEBHOOKS_PER_GUILD_MAX`.
   */
  insert(webhook: NewWebhook, change: Change): Promise<Webhook>;
  /** The guild's endpoints, oldest first. */
  list(guild: GuildRef): Promise<Webhook[]>;
  /** The endpoints that a key created or was the last to change, oldest first. */
  listByKey(keyId: string): Promise<Webhook[]>;
  find(guild: GuildRef, webhookId: string): Promise<Webhook | undefined>;
  /**
   * Changes an endpoint and increments its generation. An endpoint that becomes active again starts without failures.
   * Returns 'changed', and changes nothing, when the endpoint is no longer as `expected`; undefined when there is
   * none.
   */
  update(
    guild: GuildRef,
    webhookId: string,
    wanted: WebhookChange,
    change: Change,
  ): Promise<Webhook | 'changed' | undefined>;
  /** Deletes an endpoint and its pending deliveries. False when there is none. */
  delete(guild: GuildRef, webhookId: string, change: Change): Promise<boolean>;
  /** The last attempts, newest first and without payloads and answers: those of the last 30 days, at most `ATTEMPTS_KEPT_MAX`. */
  attempts(guild: GuildRef, webhookId: string): Promise<WebhookAttempt[]>;
  /** One attempt with its payload and answer. Undefined when the endpoint has no such attempt. */
  attempt(guild: GuildRef, webhookId: string, attemptId: string): Promise<WebhookAttempt | undefined>;
  /** Stores an attempt that is not part of a delivery, such as a test. */
  addAttempt(guild: GuildRef, webhookId: string, attempt: WebhookAttempt): Promise<void>;
  /**
   * Moves the positions back, never forward, to the last entry of each log before a time. False when there is no
   * endpoint.
   */
  rewind(guild: GuildRef, webhookId: string, sinceMs: number): Promise<boolean>;
  /** Adds a pending delivery. False when there is no endpoint. */
  enqueue(guild: GuildRef, webhookId: string, retry: WebhookRetry): Promise<boolean>;
  /**
   * Leases active endpoints of a kind that have something to deliver and that no other process holds, within the
   * limits of the claim. Those free for the longest time come first. Until `untilMs` no other process gets them. Finds
   * events of this process at once. For those of other processes, repeated claims go over all endpoints in turn.
   */
  claim(claim: WebhookClaim): Promise<Webhook[]>;
  /** Deliveries that are due, longest due first. */
  due(guild: GuildRef, webhookId: string, page: { nowMs: number; limit: number }): Promise<WebhookRetry[]>;
  /** How many deliveries wait for another attempt. */
  countWaiting(guild: GuildRef, webhookId: string): Promise<number>;
  /**
   * Writes the progress, and renews or releases the lease. False when another process has the lease, or the endpoint
   * was changed since: then only the attempts are stored, and the next claim reads the endpoint's position.
   */
  record(progress: DeliveryProgress): Promise<boolean>;
  /** The sealed values of endpoints of all guilds, ordered by guild and id after the given one, at most `limit`. */
  readSealed(page: { after: SealedWebhook | undefined; limit: number }): Promise<SealedWebhook[]>;
  /**
   * Replaces a sealed value by the same one sealed with another key, if it is still the value that was read. Changes
   * neither the generation nor the audit log. False when the value was changed.
   */
  reseal(
    target: Pick<SealedWebhook, 'guildNo' | 'webhookId'>,
    value: { field: SealedField; from: string; to: string },
  ): Promise<boolean>;
  /** The present last numbers of the guild's logs. */
  ends(guild: GuildRef): Promise<Positions>;
}
