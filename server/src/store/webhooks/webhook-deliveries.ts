import {
  ATTEMPTS_KEPT_MAX,
  ATTEMPTS_KEPT_MS,
  type DeliveryProgress,
  type WebhookAttempt,
  type WebhookClaim,
  type WebhookRetry,
} from '../../domain/webhooks/webhook.ts';
import { NO_GUILD, openAudit } from '../audit/audit-writer.ts';
import { manyRows, type Sql, statement } from '../sql.ts';
import {
  isGiven,
  LOCK,
  toAudited,
  toRows,
  toWebhook,
  WEBHOOK_COLUMNS,
  WEBHOOK_TABLES,
  type WebhookRef,
  type WebhookRow,
} from './webhook-rows.ts';

/** The actor in the audit log when an endpoint is disabled because it does not answer. */
const DELIVERY_ACTOR = { kind: 'operator', id: 'webhooks' } as const;

/** How many transactions and entries after its time a rewind reads, to find the lowest number: numbers do not rise exactly with times. */
const REWIND_LOOKED_AT = 1_000;

// Skips endpoints that another holder has taken meanwhile, and those that another transaction has locked.
// A lease that is not released makes the endpoint due when it ends.
const CLAIM = statement<WebhookRef>(
  (dialect) =>
    `WITH work (free_guild_no, free_webhook_id) AS (
       SELECT w.guild_no, w.webhook_id FROM webhook AS w WHERE ${isGiven(dialect)} AND w.status = 'active' AND w.lease_until <= $2
       ORDER BY w.guild_no, w.webhook_id ${dialect.forUpdateSkipLocked})
     UPDATE webhook SET lease_holder = $3, lease_until = $4, due_at = $4 FROM work
     WHERE guild_no = free_guild_no AND webhook_id = free_webhook_id
     RETURNING guild_no AS "guildNo", webhook_id AS "webhookId"`,
);
const FIND_CLAIMED = statement<WebhookRow>(
  (dialect) => `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE ${isGiven(dialect)}`,
);
const INSERT_ATTEMPTS = manyRows({
  table: 'webhook_attempt',
  isOnOneMachine: true,
  shared: ['guild_no', 'webhook_id'],
  columns: {
    attempt_id: 'text',
    event_id: 'text',
    type: 'text',
    at: 'bigint',
    status: 'bigint',
    duration_ms: 'bigint',
    error: 'text',
  },
});
const TRIM = statement(
  `DELETE FROM webhook_attempt WHERE guild_no = $1 AND webhook_id = $2 AND (at < $3 OR (at, attempt_id) <= (
     SELECT at, attempt_id FROM webhook_attempt WHERE guild_no = $1 AND webhook_id = $2
     ORDER BY at DESC, attempt_id DESC LIMIT 1 OFFSET ${ATTEMPTS_KEPT_MAX}))`,
);
const PUT_RETRIES = manyRows({
  table: 'webhook_retry',
  isOnOneMachine: true,
  shared: ['guild_no', 'webhook_id'],
  columns: {
    event_id: 'text',
    type: 'text',
    body: 'text',
    attempts: 'bigint',
    next_at: 'bigint',
    event_at: 'bigint',
  },
  ending: `ON CONFLICT (guild_no, webhook_id, event_id) DO UPDATE SET body = excluded.body, attempts = excluded.attempts,
    next_at = excluded.next_at`,
});
const SETTLE = statement(
  ({ isOneOf }) =>
    `DELETE FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2 AND ${isOneOf('event_id', { value: '$3', type: 'text' })}`,
);
const FORGET_RETRIES = statement('DELETE FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2');
const SET_RETRY_AT = statement(
  ({ least }) =>
    `UPDATE webhook SET retry_at = first.next_at,
       due_at = CASE WHEN status = 'active' THEN coalesce(${least('due_at', 'first.next_at')}, due_at, first.next_at) END
     FROM (SELECT min(next_at) AS next_at FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2) AS first
     WHERE guild_no = $1 AND webhook_id = $2`,
);
const RELEASE = statement(
  'UPDATE webhook SET lease_holder = NULL, lease_until = $3, due_at = $3 WHERE guild_no = $1 AND webhook_id = $2',
);
// A kept lease leaves `due_at` as it is: PostgreSQL then changes no index.
const RECORD = statement(
  `UPDATE webhook SET feed_number = $3, audit_entry_no = $4, people_entry_no = $5, failing_since = $6,
     announced_keys = $7, check_at = $8, summary_at = $9, lease_until = $10, status = $11, disabled_reason = $12,
     lease_holder = $13, due_at = CASE WHEN $14 THEN due_at ELSE $15 END
   WHERE guild_no = $1 AND webhook_id = $2`,
);
const FIRST_NUMBER = statement<{ first: number | null }>(
  `SELECT min(number) AS first FROM (SELECT number FROM ledger_transaction WHERE guild_no = $1 AND created_at >= $2
     ORDER BY created_at, account_no, seq LIMIT ${REWIND_LOOKED_AT}) AS t`,
);
const FIRST_ENTRY_NO = statement<{ first: number | null }>(
  `SELECT min(entry_no) AS first FROM (SELECT entry_no FROM audit_entry WHERE guild_no = $1 AND created_at >= $2
     ORDER BY created_at, entry_no LIMIT ${REWIND_LOOKED_AT}) AS e`,
);
// A position is null when its log has nothing since that time. It then stays as it is.
const REWIND = statement(
  ({ least }) =>
    `UPDATE webhook SET generation = generation + 1, feed_number = ${least('feed_number', 'coalesce($3, feed_number)')},
       audit_entry_no = ${least('audit_entry_no', 'coalesce($4, audit_entry_no)')},
       people_entry_no = ${least('people_entry_no', 'coalesce($5, people_entry_no)')},
       due_at = CASE WHEN status = 'active' THEN lease_until END
     WHERE guild_no = $1 AND webhook_id = $2`,
);

export interface WebhookLease extends Pick<WebhookClaim, 'holder' | 'nowMs' | 'untilMs'> {
  /** Endpoints that had work and no holder a moment ago. */
  work: readonly WebhookRef[];
}

export async function claimWebhooks(
  sql: Sql,
  { work, holder, nowMs, untilMs }: WebhookLease,
): Promise<WebhookRow[]> {
  const claimed = await sql.all(CLAIM, [toRows(work), nowMs, holder, untilMs]);
  return sql.all(FIND_CLAIMED, [toRows(claimed)]);
}

export async function addAttempt(
  sql: Sql,
  { attempt, ...webhook }: WebhookRef & { attempt: WebhookAttempt },
): Promise<void> {
  if ((await sql.first(LOCK, [webhook.guildNo, webhook.webhookId])) !== undefined) {
    await addAttempts(sql, webhook, [attempt]);
  }
}

async function addAttempts(
  sql: Sql,
  { guildNo, webhookId }: WebhookRef,
  attempts: readonly WebhookAttempt[],
): Promise<void> {
  const kept = attempts.slice(-ATTEMPTS_KEPT_MAX);
  const last = kept.at(-1);
  if (last === undefined) {
    return;
  }
  await sql.runMany(
    INSERT_ATTEMPTS,
    [guildNo, webhookId],
    kept.map(({ attemptId, eventId, type, atMs, status = null, durationMs, error = null }) => [
      attemptId,
      eventId,
      type,
      atMs,
      status,
      durationMs,
      error,
    ]),
  );
  await sql.run(TRIM, [guildNo, webhookId, last.atMs - ATTEMPTS_KEPT_MS]);
}

async function putRetries(
  sql: Sql,
  { guildNo, webhookId }: WebhookRef,
  retries: readonly WebhookRetry[],
): Promise<void> {
  await sql.runMany(
    PUT_RETRIES,
    [guildNo, webhookId],
    retries.map(({ eventId, type, body, attempts, nextAtMs, eventAtMs = null }) => [
      eventId,
      type,
      body,
      attempts,
      nextAtMs,
      eventAtMs,
    ]),
  );
}

export async function rewindWebhook(
  sql: Sql,
  { guildNo, webhookId, sinceMs }: WebhookRef & { sinceMs: number },
): Promise<boolean> {
  const number = await sql.first(FIRST_NUMBER, [guildNo, sinceMs]);
  const entry = await sql.first(FIRST_ENTRY_NO, [guildNo, sinceMs]);
  const person = await sql.first(FIRST_ENTRY_NO, [NO_GUILD, sinceMs]);
  const positions = [number, entry, person].map((row) =>
    row === undefined || row.first === null ? null : row.first - 1,
  );
  return (await sql.run(REWIND, [guildNo, webhookId, ...positions])) > 0;
}

export async function enqueueWebhook(
  sql: Sql,
  { retry, ...webhook }: WebhookRef & { retry: WebhookRetry },
): Promise<boolean> {
  const values = [webhook.guildNo, webhook.webhookId];
  if ((await sql.first(LOCK, values)) === undefined) {
    return false;
  }
  await putRetries(sql, webhook, [retry]);
  await sql.run(SET_RETRY_AT, values);
  return true;
}

export async function recordDelivery(sql: Sql, progress: DeliveryProgress): Promise<boolean> {
  const { webhookId, positions, disabledReason, nowMs } = progress;
  const { guildNo } = progress.guild;
  const change = { actor: DELIVERY_ACTOR, atMs: nowMs };
  // Every write locks the log before the endpoint.
  const audit =
    disabledReason === undefined
      ? undefined
      : await openAudit(sql, { guildNo, change, subjectKind: 'webhook' });
  const before = await sql.first(LOCK, [guildNo, webhookId]);
  if (before === undefined) {
    return false;
  }
  await addAttempts(sql, { guildNo, webhookId }, progress.attempts);
  if (before.holder !== progress.holder) {
    return false;
  }
  if (before.generation !== progress.generation) {
    await sql.run(RELEASE, [guildNo, webhookId, nowMs]);
    return false;
  }
  await sql.run(RECORD, [
    guildNo,
    webhookId,
    positions.feed,
    positions.audit,
    positions.people,
    progress.failingSinceMs ?? null,
    JSON.stringify(progress.announcedKeys),
    progress.checkAtMs ?? null,
    progress.summaryAtMs ?? null,
    progress.leaseUntilMs,
    disabledReason === undefined ? before.status : 'disabled',
    disabledReason ?? before.disabledReason,
    progress.isHeld ? progress.holder : null,
    progress.isHeld,
    dueAfterRelease(progress),
  ]);
  if (progress.settled.length > 0) {
    await sql.run(SETTLE, [guildNo, webhookId, progress.settled]);
  }
  await putRetries(sql, { guildNo, webhookId }, progress.retries);
  if (audit !== undefined) {
    const webhook = toWebhook(before);
    await sql.run(FORGET_RETRIES, [guildNo, webhookId]);
    audit.add({
      subjectId: webhookId,
      before: toAudited(webhook),
      after: toAudited({ ...webhook, status: 'disabled', disabledReason }),
    });
    await audit.write();
  }
  await sql.run(SET_RETRY_AT, [guildNo, webhookId]);
  return true;
}

/**
 * The time at which a released endpoint has something to do, as far as its holder knows; null for never. Retries are
 * added by `SET_RETRY_AT`, and events since then by the next look.
 */
function dueAfterRelease({
  hasMore,
  leaseUntilMs,
  checkAtMs,
  disabledReason,
}: DeliveryProgress): number | null {
  if (disabledReason !== undefined) {
    return null;
  }
  const times = [hasMore === true ? leaseUntilMs : undefined, checkAtMs].filter((time) => time !== undefined);
  return times.length === 0 ? null : Math.min(...times);
}
