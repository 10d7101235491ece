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

/** Endpoints, how far each has come, and what is waiting for it. Those of one guild never show through another's reference. */
export interface WebhookStore {
  /**
   * Adds an endpoint that hears of everything committed later. Rejects with `webhook_limit` when the guild has
   * `WEBHOOKS_PER_GUILD_MAX`.
   */
  insert(webhook: NewWebhook, change: Change): Promise<Webhook>;
  /** The guild's endpoints, oldest first. */
  list(guild: GuildRef): Promise<Webhook[]>;
  /** The endpoints that a key made or changed last, oldest first. */
  listByKey(keyId: string): Promise<Webhook[]>;
  find(guild: GuildRef, webhookId: string): Promise<Webhook | undefined>;
  /**
   * Changes an endpoint and moves its generation. One that becomes active again forgets its failures. Returns 'changed', and
   * changes nothing, when the endpoint is no longer as `expected`; undefined when there is none.
   */
  update(
    guild: GuildRef,
    webhookId: string,
    wanted: WebhookChange,
    change: Change,
  ): Promise<Webhook | 'changed' | undefined>;
  /** Deletes an endpoint with all that waits for it. False when there is none. */
  delete(guild: GuildRef, webhookId: string, change: Change): Promise<boolean>;
  /** The last attempts, newest first: those of the last 30 days, at most `ATTEMPTS_KEPT_MAX`. */
  attempts(guild: GuildRef, webhookId: string): Promise<WebhookAttempt[]>;
  /** Keeps an attempt that no delivery asked for, such as a test. */
  addAttempt(guild: GuildRef, webhookId: string, attempt: WebhookAttempt): Promise<void>;
  /** Moves the positions back, never forward, to where each log stood before a time. False when there is no endpoint. */
  rewind(guild: GuildRef, webhookId: string, sinceMs: number): Promise<boolean>;
  /** Makes a delivery due. False when there is no endpoint. */
  enqueue(guild: GuildRef, webhookId: string, retry: WebhookRetry): Promise<boolean>;
  /**
   * Takes the lease of active endpoints of a kind that have something to deliver and that nobody else holds, within the bounds of
   * the claim. Those that have been free for the longest time come first. Until `untilMs` nobody else gets them.
   */
  claim(claim: WebhookClaim): Promise<Webhook[]>;
  /** Deliveries that are due, longest due first. */
  due(guild: GuildRef, webhookId: string, page: { nowMs: number; limit: number }): Promise<WebhookRetry[]>;
  /** How many deliveries wait for another attempt. */
  countWaiting(guild: GuildRef, webhookId: string): Promise<number>;
  /**
   * Writes what was done, and renews or gives back the lease. False when another process has the lease, or the endpoint was
   * changed since: then only the attempts are kept, and where the endpoint stands is for the next claim to say.
   */
  record(progress: DeliveryProgress): Promise<boolean>;
  /** What is sealed of the endpoints of all guilds behind one of them, by guild and id, at most `limit`. */
  readSealed(page: { after: SealedWebhook | undefined; limit: number }): Promise<SealedWebhook[]>;
  /**
   * Replaces a sealed value by the same one under another key, while it is still the one that was read. Nothing else changes:
   * neither the generation nor the audit log. False when it has another value by now.
   */
  reseal(
    target: Pick<SealedWebhook, 'guildNo' | 'webhookId'>,
    value: { field: SealedField; from: string; to: string },
  ): Promise<boolean>;
  /** The last numbers of the guild's logs, as of now. */
  ends(guild: GuildRef): Promise<Positions>;
}
