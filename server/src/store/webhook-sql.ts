import type { Change, GuildRef } from '../domain/model.ts';
import type { EventName } from '../domain/webhooks/event-types.ts';
import { FAILING_COUNTS_AFTER_MS } from '../domain/webhooks/retries.ts';
import type {
  SealedField,
  SealedWebhook,
  Webhook,
  WebhookAttempt,
  WebhookChange,
  WebhookKind,
  WebhookRetry,
  WebhookStatus,
} from '../domain/webhooks/webhook.ts';

/** What both stores share of endpoints. */

export const WEBHOOK_COLUMNS = `w.guild_no AS "guildNo", g.guild_id AS "guildId", w.webhook_id AS "webhookId", w.kind, w.url,
  w.sealed_url AS "sealedUrl", w.events, w.filter, w.status, w.disabled_reason AS "disabledReason",
  w.sealed_secret AS "sealedSecret", w.sealed_old_secret AS "sealedOldSecret", w.old_secret_until AS "oldSecretUntilMs",
  w.created_at AS "createdAtMs", w.generation, w.feed_number AS feed, w.audit_entry_no AS audit,
  w.people_entry_no AS people, w.failing_since AS "failingSinceMs", w.announced_keys AS "announcedKeys",
  w.check_at AS "checkAtMs", w.summary_at AS "summaryAtMs", w.key_id AS "keyId"`;

export const WEBHOOK_TABLES = 'webhook AS w JOIN guild AS g ON g.guild_no = w.guild_no';

export interface WebhookRow {
  guildNo: number;
  guildId: string;
  webhookId: string;
  kind: WebhookKind;
  url: string;
  sealedUrl: string | null;
  events: string;
  filter: string;
  status: WebhookStatus;
  disabledReason: string | null;
  sealedSecret: string | null;
  sealedOldSecret: string | null;
  oldSecretUntilMs: number | null;
  createdAtMs: number;
  generation: number;
  feed: number;
  audit: number;
  people: number;
  failingSinceMs: number | null;
  announcedKeys: string;
  checkAtMs: number | null;
  summaryAtMs: number | null;
  keyId: string | null;
}

export function toWebhook(row: WebhookRow): Webhook {
  const guild: GuildRef = { guildNo: row.guildNo, guildId: row.guildId };
  return {
    webhookId: row.webhookId,
    guild,
    kind: row.kind,
    url: row.url,
    sealedUrl: row.sealedUrl ?? undefined,
    // Only lists of events, filters and lists of ids are ever written.
    events: JSON.parse(row.events) as EventName[],
    filter: JSON.parse(row.filter) as Webhook['filter'],
    status: row.status,
    disabledReason: row.disabledReason ?? undefined,
    sealedSecret: row.sealedSecret ?? undefined,
    sealedOldSecret: row.sealedOldSecret ?? undefined,
    oldSecretUntilMs: row.oldSecretUntilMs ?? undefined,
    createdAtMs: row.createdAtMs,
    failingSinceMs: row.failingSinceMs ?? undefined,
    positions: { feed: row.feed, audit: row.audit, people: row.people },
    generation: row.generation,
    announcedKeys: JSON.parse(row.announcedKeys) as string[],
    checkAtMs: row.checkAtMs ?? undefined,
    summaryAtMs: row.summaryAtMs ?? undefined,
    keyId: row.keyId ?? undefined,
  };
}

/** Whether an endpoint is still as a change was decided on. */
export function isAsExpected(row: WebhookRow, expected: WebhookChange['expected']): boolean {
  return expected === undefined || (row.generation === expected.generation && row.status === expected.status);
}

export const SEALED_COLUMNS = {
  sealedUrl: 'sealed_url',
  sealedSecret: 'sealed_secret',
  sealedOldSecret: 'sealed_old_secret',
} as const satisfies Record<SealedField, string>;

export const SEALED_WEBHOOK_COLUMNS = `guild_no AS "guildNo", webhook_id AS "webhookId", kind, sealed_url AS "sealedUrl",
  sealed_secret AS "sealedSecret", sealed_old_secret AS "sealedOldSecret"`;

export type SealedWebhookRow = Pick<WebhookRow, 'guildNo' | 'webhookId' | 'kind' | SealedField>;

export function toSealedWebhook(row: SealedWebhookRow): SealedWebhook {
  const { sealedUrl, sealedSecret, sealedOldSecret } = row;
  return {
    ...row,
    sealedUrl: sealedUrl ?? undefined,
    sealedSecret: sealedSecret ?? undefined,
    sealedOldSecret: sealedOldSecret ?? undefined,
  };
}

export const ATTEMPT_COLUMNS =
  'attempt_id AS "attemptId", event_id AS "eventId", type, at AS "atMs", status, duration_ms AS "durationMs", error';

export type AttemptRow = Omit<WebhookAttempt, 'status' | 'error'> & {
  status: number | null;
  error: string | null;
};

export function toAttempt({ status, error, ...row }: AttemptRow): WebhookAttempt {
  return { ...row, status: status ?? undefined, error: error ?? undefined };
}

export const RETRY_COLUMNS =
  'event_id AS "eventId", type, body, attempts, next_at AS "nextAtMs", event_at AS "eventAtMs"';

export type RetryRow = Omit<WebhookRetry, 'eventAtMs'> & { eventAtMs: number | null };

export function toRetry({ eventAtMs, ...row }: RetryRow): WebhookRetry {
  return { ...row, eventAtMs: eventAtMs ?? undefined };
}

/** As `countsAsFailing` decides. The parameter stands alone, so that PostgreSQL takes its type from the column. */
export function countsAsFailingSql(now: string): string {
  return `coalesce(w.failing_since + ${FAILING_COUNTS_AFTER_MS} <= ${now}, false)`;
}

/**
 * Which of the endpoints with work a claim gets: of each guild those that have been free for the longest time, as many as the
 * guild's bound leaves beside those that are held, then a limited number of those that count as failing, then a limited number of all.
 */
export function fairWorkSql(
  hasWork: string,
  at: Record<'now' | 'kind' | 'limit' | 'failingLimit' | 'guildLimit', string>,
): string {
  const free = 'ORDER BY w.lease_until, w.guild_no, w.webhook_id';
  return `SELECT w.guild_no AS "guildNo", w.webhook_id AS "webhookId" FROM (
      SELECT w.*, row_number() OVER (PARTITION BY w.is_failing ${free}) AS place FROM (
        SELECT w.guild_no, w.webhook_id, w.lease_until, ${countsAsFailingSql(at.now)} AS is_failing,
          row_number() OVER (PARTITION BY w.guild_no ORDER BY w.lease_until, w.webhook_id) + (SELECT count(*) FROM webhook AS h
            WHERE h.guild_no = w.guild_no AND h.kind = ${at.kind} AND h.lease_holder IS NOT NULL AND h.lease_until > ${at.now}) AS place_in_guild
        FROM webhook AS w WHERE w.kind = ${at.kind} AND ${hasWork}
      ) AS w WHERE w.place_in_guild <= ${at.guildLimit}
    ) AS w WHERE NOT w.is_failing OR w.place <= ${at.failingLimit} ${free} LIMIT ${at.limit}`;
}

/** What of an endpoint the audit log tells. */
export function toAudited({
  kind,
  url,
  events,
  filter,
  status,
  disabledReason,
}: Pick<Webhook, 'kind' | 'url' | 'events' | 'filter' | 'status' | 'disabledReason'>): object {
  return { kind, url, events, filter, status, ...(disabledReason !== undefined && { disabledReason }) };
}

/** The key that a change of an endpoint is ascribed to, if it is one. */
export const keyIdOf = ({ actor }: Change): string | null => (actor.kind === 'key' ? actor.id : null);

/** Who disables an endpoint that does not answer. */
export const DELIVERY_ACTOR = { kind: 'operator', id: 'webhooks' } as const;

/** How many transactions and entries around a time are looked at, because times and numbers do not rise in step exactly. */
export const REWIND_LOOKED_AT = 1_000;
