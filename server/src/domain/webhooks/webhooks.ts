import type { Sealer } from '../access/sealing.ts';
import { DomainError } from '../errors.ts';
import type { Actor, GuildRef, Scope } from '../model.ts';
import type { Clock, IdSource, KeyStore, RateBucket, RateLimiter } from '../ports.ts';
import { assertEvents, assertReadable, decideRotation, decideUpdate } from './changing.ts';
import { eventIdOf, readEventId, type WebhookEvent } from './event.ts';
import type { EventSource } from './event-source.ts';
import { hasTimed, selects, streamsOf } from './event-types.ts';
import { disableWithKey } from './of-key.ts';
import { type ShownWebhook, unreadablePart } from './readability.ts';
import { bodyFor, labelOf, type WebhookSender } from './sending.ts';
import { createSecret } from './signature.ts';
import { nextSummaryAt } from './summary-time.ts';
import { maskUrl, readUrl } from './url.ts';
import type { Webhook, WebhookAttempt, WebhookChange, WebhookInput, WebhookUpdate } from './webhook.ts';
import { ATTEMPTS_KEPT_MS } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

export type ReplayInput = { since?: string | undefined; eventId?: string | undefined };

/**
 * A guild's endpoints, for its keys and for the dashboard. An endpoint of another guild is treated as absent. A key
 * passes its scopes and is refused with `missing_scope` when they do not cover the events; a person passes none and
 * may select every event.
 */
export interface Webhooks {
  /** Creates an endpoint and returns its secret, which cannot be read again later; a chat channel has none. */
  create(
    guild: GuildRef,
    input: WebhookInput,
    actor: Actor,
    scopes?: readonly Scope[],
  ): Promise<{ webhook: ShownWebhook; secret: string | undefined }>;
  list(guild: GuildRef): Promise<ShownWebhook[]>;
  show(guild: GuildRef, webhookId: string): Promise<{ webhook: ShownWebhook; attempts: WebhookAttempt[] }>;
  /** One attempt with its payload and answer. */
  attempt(guild: GuildRef, webhookId: string, attemptId: string): Promise<WebhookAttempt>;
  update(
    guild: GuildRef,
    webhookId: string,
    input: WebhookUpdate,
    actor: Actor,
    scopes?: readonly Scope[],
  ): Promise<ShownWebhook>;
  delete(guild: GuildRef, webhookId: string, actor: Actor): Promise<void>;
  /** Sends a test at once and returns its result. */
  test(guild: GuildRef, webhookId: string): Promise<WebhookAttempt>;
  /** Delivers again: one event, or everything since a time. */
  replay(guild: GuildRef, webhookId: string, input: ReplayInput): Promise<ShownWebhook>;
  /** Makes a new secret. Deliveries are signed with the old one too for a day, unless that one cannot be read. */
  rotate(
    guild: GuildRef,
    webhookId: string,
    actor: Actor,
  ): Promise<{ webhook: ShownWebhook; secret: string }>;
}

/** Sends one event at once, outside of the queue. */
export type SendNow = (webhook: Webhook, event: WebhookEvent) => Promise<WebhookAttempt>;

export interface WebhookParts {
  store: WebhookStore;
  keys: Pick<KeyStore, 'find'>;
  source: EventSource;
  sender: Pick<WebhookSender, 'check'>;
  sendNow: SendNow;
  sealer: Sealer;
  limiter: RateLimiter;
  clock: Clock;
  ids: IdSource;
}

/** Keeps tests and deliveries together within the limits of a chat channel. */
const CHAT_TESTS = { name: 'webhook-chat-tests', limit: 4, windowMs: 60_000 };
/** Each test may hold a connection for 20 seconds. */
const GUILD_TESTS = { name: 'webhook-tests', limit: 20, windowMs: 60_000 };
/** The number of times that a change is decided again after a concurrent change of the endpoint. */
const CHANGE_TRIES = 10;

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { store, source, sender, sealer, clock, ids } = parts;

  async function require(guild: GuildRef, webhookId: string): Promise<Webhook> {
    const webhook = await store.find(guild, webhookId);
    if (webhook === undefined) {
      throw new DomainError('webhook_not_found');
    }
    return webhook;
  }

  /** The address as it is shown and, for a chat channel, the sealed address. */
  async function addressOf(
    text: string,
    { guild, kind, webhookId }: Pick<Webhook, 'guild' | 'kind' | 'webhookId'>,
  ) {
    const url = readUrl(text);
    await sender.check(url.href, guild);
    return kind === 'standard'
      ? { url: url.href, sealedUrl: undefined }
      : { url: maskUrl(url), sealedUrl: sealer.seal(url.href, labelOf('url', webhookId)) };
  }

  const sealSecret = (secret: string, webhookId: string) => sealer.seal(secret, labelOf('secret', webhookId));

  const show = (webhook: Webhook): ShownWebhook => ({
    ...webhook,
    unreadable: unreadablePart(webhook, sealer),
  });

  /** The present secret, sealed again with the present key. Null when no key opens it. */
  function sealOldSecret({ webhookId, sealedSecret = '' }: Webhook): string | null {
    const old = sealer.open(sealedSecret, labelOf('secret', webhookId));
    return old === undefined ? null : sealSecret(old, webhookId);
  }

  async function assertMayTest({ guild, webhookId, kind }: Webhook): Promise<void> {
    await assertAdmitted(GUILD_TESTS, String(guild.guildNo), 'tests of webhooks');
    if (kind === 'discord') {
      await assertAdmitted(CHAT_TESTS, webhookId, 'tests of a chat channel');
    }
  }

  async function assertAdmitted(bucket: RateBucket, subject: string, what: string): Promise<void> {
    const { admitted, resetAfterMs } = await parts.limiter.admit(bucket, subject);
    if (!admitted) {
      const retryAfterSeconds = Math.ceil(resetAfterMs / 1_000);
      const detail = `${bucket.limit} ${what} per minute`;
      throw new DomainError('rate_limited', { detail, retryAfterSeconds });
    }
  }

  /**
   * Changes an endpoint by a decision on its present state. The decision is repeated when a delivery, a replay or
   * another change comes between reading and writing.
   */
  async function change(
    guild: GuildRef,
    webhookId: string,
    actor: Actor,
    decide: (present: Webhook, nowMs: number) => WebhookChange,
  ): Promise<ShownWebhook> {
    for (let tries = 0; tries < CHANGE_TRIES; tries += 1) {
      const present = await require(guild, webhookId);
      const atMs = clock.nowMs();
      const { generation, status } = present;
      const wanted = { ...decide(present, atMs), expected: { generation, status } };
      const changed = await store.update(guild, webhookId, wanted, { actor, atMs });
      if (changed === undefined) {
        throw new DomainError('webhook_not_found');
      }
      if (changed !== 'changed') {
        return show(changed);
      }
    }
    throw new DomainError('overloaded', { retryAfterSeconds: 1 });
  }

  /** Disables the webhook and refuses the request when the key was deleted in the meantime. */
  async function assertKeyPresent(webhook: Webhook, actor: Actor): Promise<void> {
    if (actor.kind === 'key' && (await parts.keys.find(webhook.guild, actor.id)) === undefined) {
      await disableWithKey(store, { ...webhook, keyId: actor.id }, { actor, atMs: clock.nowMs() });
      throw new DomainError('unauthorized');
    }
  }

  async function replaySince(webhook: Webhook, since: string): Promise<void> {
    const sinceMs = Date.parse(since);
    if (sinceMs < clock.nowMs() - ATTEMPTS_KEPT_MS) {
      throw new DomainError('invalid_input', { detail: 'since must lie within the last 30 days' });
    }
    await store.rewind(webhook.guild, webhook.webhookId, sinceMs);
  }

  async function replayEvent(webhook: Webhook, eventId: string): Promise<void> {
    const origin = readEventId(webhook.guild, eventId);
    const event = origin && (await source.find(webhook, origin));
    if (event === undefined) {
      throw new DomainError('event_not_found');
    }
    const retry = {
      eventId,
      type: event.type,
      body: await bodyFor(webhook, event, source),
      attempts: 0,
      nextAtMs: clock.nowMs(),
      eventAtMs: event.atMs,
    };
    await store.enqueue(webhook.guild, webhook.webhookId, retry);
  }

  return {
    async create(guild, { name, url, kind, events, filter = {}, hasSummaryNow = false }, actor, scopes) {
      assertEvents(kind, events, filter);
      assertReadable(events, scopes);
      const webhookId = ids.uuid();
      const address = await addressOf(url, { guild, kind, webhookId });
      const secret = kind === 'standard' ? createSecret(ids) : undefined;
      const nowMs = clock.nowMs();
      const firstSummaryAtMs = hasSummaryNow ? nowMs : nextSummaryAt(nowMs);
      const summaryAtMs = selects(events, 'summary.weekly') ? firstSummaryAtMs : undefined;
      const webhook = await store.insert(
        {
          ...address,
          name: name ?? undefined,
          webhookId,
          guild: { guildNo: guild.guildNo, guildId: guild.guildId },
          kind,
          events,
          filter,
          sealedSecret: secret === undefined ? undefined : sealSecret(secret, webhookId),
          sealedOldSecret: undefined,
          oldSecretUntilMs: undefined,
          createdAtMs: nowMs,
          checkAtMs: hasTimed(events) ? nowMs : summaryAtMs,
          summaryAtMs,
          streams: streamsOf(events, kind),
        },
        { actor, atMs: nowMs },
      );
      await assertKeyPresent(webhook, actor);
      return { webhook: show(webhook), secret };
    },

    list: async (guild) => (await store.list(guild)).map(show),

    async show(guild, webhookId) {
      const webhook = await require(guild, webhookId);
      return { webhook: show(webhook), attempts: await store.attempts(guild, webhookId) };
    },

    async attempt(guild, webhookId, attemptId) {
      const attempt = await store.attempt(guild, webhookId, attemptId);
      if (attempt === undefined) {
        throw new DomainError('event_not_found');
      }
      return attempt;
    },

    async update(guild, webhookId, input, actor, scopes) {
      const { kind, url, events } = await require(guild, webhookId);
      // Checked before `addressOf`, so that a key without the scopes causes no DNS look-up.
      assertReadable(events, scopes);
      const isMoved = input.url !== undefined && input.url !== url;
      const address = isMoved && input.url ? await addressOf(input.url, { guild, kind, webhookId }) : {};
      const changed = await change(guild, webhookId, actor, (present, nowMs) => {
        // Checks the present events too: a key that changes the address or the status would receive them.
        assertReadable([...present.events, ...(input.events ?? [])], scopes);
        return { ...address, ...decideUpdate(present, input, nowMs) };
      });
      await assertKeyPresent(changed, actor);
      return changed;
    },

    async delete(guild, webhookId, actor) {
      if (!(await store.delete(guild, webhookId, { actor, atMs: clock.nowMs() }))) {
        throw new DomainError('webhook_not_found');
      }
    },

    async test(guild, webhookId) {
      const webhook = await require(guild, webhookId);
      await assertMayTest(webhook);
      const facts = { message: 'This is a test of your endpoint.', webhookId };
      const attempt = await parts.sendNow(webhook, {
        id: eventIdOf(guild, { log: 'x', ref: ids.uuid() }),
        type: 'webhook.test',
        atMs: clock.nowMs(),
        subject: { kind: 'facts', facts, playerIds: [] },
      });
      await store.addAttempt(guild, webhookId, attempt);
      return attempt;
    },

    async replay(guild, webhookId, { since, eventId }) {
      if ((since === undefined) === (eventId === undefined)) {
        throw new DomainError('invalid_input', { detail: 'give either since or eventId' });
      }
      const webhook = await require(guild, webhookId);
      if (webhook.status === 'disabled') {
        throw new DomainError('webhook_disabled');
      }
      if (since !== undefined) {
        await replaySince(webhook, since);
      } else if (eventId !== undefined) {
        await replayEvent(webhook, eventId);
      }
      return show(webhook);
    },

    async rotate(guild, webhookId, actor) {
      const secret = createSecret(ids);
      const sealedSecret = sealSecret(secret, webhookId);
      const webhook = await change(guild, webhookId, actor, (present, nowMs) =>
        decideRotation(present, { sealedSecret, sealedOldSecret: sealOldSecret(present) }, nowMs),
      );
      return { webhook, secret };
    },
  };
}
