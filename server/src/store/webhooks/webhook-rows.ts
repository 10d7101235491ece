import type { Change, GuildRef } from '../../domain/model.ts';
import type { EventName } from '../../domain/webhooks/event-types.ts';
import type {
  SealedField,
  SealedWebhook,
  Webhook,
  WebhookAttempt,
  WebhookChange,
  WebhookKind,
  WebhookRetry,
  WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import type { Dialect } from '../dialect.ts';
import { statement } from '../sql.ts';

/** An endpoint, by the columns of its primary key. */
export interface WebhookRef {
  guildNo: number;
  webhookId: string;
}

// The limit leaves out no row. PostgreSQL estimates the number of rows by it, and uses the index for a few endpoints.
/** True for endpoints that are bound as `toRows` of them. */
export const isGiven = ({ rowsOf }: Dialect) =>
  `(w.guild_no, w.webhook_id) IN (SELECT guild_no, webhook_id
     FROM ${rowsOf('$1', 'given', { guild_no: 'bigint', webhook_id: 'text' })} LIMIT json_array_length($1))`;

export function toRows(webhooks: readonly WebhookRef[]): string {
  return JSON.stringify(
    webhooks.map(({ guildNo, webhookId }) => ({ guild_no: guildNo, webhook_id: webhookId })),
  );
}

export const WEBHOOK_COLUMNS = `w.guild_no AS "guildNo", g.guild_id AS "guildId", w.webhook_id AS "webhookId", w.kind, w.url,
  w.sealed_url AS "sealedUrl", w.events, w.filter, w.status, w.disabled_reason AS "disabledReason",
  w.sealed_secret AS "sealedSecret", w.sealed_old_secret AS "sealedOldSecret", w.old_secret_until AS "oldSecretUntilMs",
  w.created_at AS "createdAtMs", w.generation, w.feed_number AS feed, w.audit_entry_no AS audit,
  w.people_entry_no AS people, w.failing_since AS "failingSinceMs", w.announced_keys AS "announcedKeys",
  w.check_at AS "checkAtMs", w.summary_at AS "summaryAtMs", w.retry_at AS "retryAtMs", w.key_id AS "keyId", w.name`;

export const WEBHOOK_TABLES = 'webhook AS w JOIN guild AS g ON g.guild_no = w.guild_no';

export const FIND = statement<WebhookRow>(
  `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.guild_no = $1 AND w.webhook_id = $2`,
);
/** Every change locks its endpoint with this. It waits for a concurrent change to commit, and reads the result. */
export const LOCK = statement<WebhookRow & { holder: string | null }>(
  ({ forUpdateOf }) =>
    `SELECT ${WEBHOOK_COLUMNS}, w.lease_holder AS holder FROM ${WEBHOOK_TABLES}
     WHERE w.guild_no = $1 AND w.webhook_id = $2 ${forUpdateOf('w')}`,
);

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
  retryAtMs: number | null;
  keyId: string | null;
  name: string | null;
}

export function toWebhook(row: WebhookRow): Webhook {
  const guild: GuildRef = { guildNo: row.guildNo, guildId: row.guildId };
  return {
    webhookId: row.webhookId,
    guild,
    name: row.name ?? undefined,
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
    retryAtMs: row.retryAtMs ?? undefined,
    keyId: row.keyId ?? undefined,
  };
}

/** True when an endpoint has not changed since a change of it was decided. */
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

export type AttemptRow = Omit<WebhookAttempt, 'status' | 'error' | 'payload' | 'answer'> & {
  status: number | null;
  error: string | null;
};

export function toAttempt({ status, error, ...row }: AttemptRow): WebhookAttempt {
  return { ...row, status: status ?? undefined, error: error ?? undefined };
}

export type WholeAttemptRow = AttemptRow & { payload: string | null; answer: string | null };

export function toWholeAttempt({ payload, answer, ...row }: WholeAttemptRow): WebhookAttempt {
  return { ...toAttempt(row), payload: payload ?? undefined, answer: answer ?? undefined };
}

export const RETRY_COLUMNS =
  'event_id AS "eventId", type, body, attempts, next_at AS "nextAtMs", event_at AS "eventAtMs"';

export type RetryRow = Omit<WebhookRetry, 'eventAtMs'> & { eventAtMs: number | null };

export function toRetry({ eventAtMs, ...row }: RetryRow): WebhookRetry {
  return { ...row, eventAtMs: eventAtMs ?? undefined };
}

/** The fields of an endpoint that the audit log shows. */
export function toAudited({
  name,
  kind,
  url,
  events,
  filter,
  status,
  disabledReason,
}: Pick<Webhook, 'name' | 'kind' | 'url' | 'events' | 'filter' | 'status' | 'disabledReason'>): object {
  return {
    ...(name !== undefined && { name }),
    kind,
    url,
    events,
    filter,
    status,
    ...(disabledReason !== undefined && { disabledReason }),
  };
}

/** The key that changed an endpoint; null for other actors. */
export const keyIdOf = ({ actor }: Change): string | null => (actor.kind === 'key' ? actor.id : null);
