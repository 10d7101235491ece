import {
  ATTEMPTS_KEPT_MAX,
  ATTEMPTS_KEPT_MS,
  type WebhookAttempt,
  type WebhookRetry,
} from '../../domain/webhooks/webhook.ts';
import { manyRows, type Sql, statement } from '../sql.ts';
import { toRows, type WebhookRef } from './webhook-rows.ts';

const INSERT_ATTEMPTS = manyRows({
  table: 'webhook_attempt',
  isOnOneMachine: true,
  columns: {
    guild_no: 'bigint',
    webhook_id: 'text',
    attempt_id: 'text',
    event_id: 'text',
    type: 'text',
    at: 'bigint',
    status: 'bigint',
    duration_ms: 'bigint',
    error: 'text',
    payload: 'text',
    answer: 'text',
  },
});
export const TRIM = statement(
  ({ rowsOf }) =>
    `DELETE FROM webhook_attempt WHERE (guild_no, webhook_id, attempt_id) IN (
       SELECT a.guild_no, a.webhook_id, a.attempt_id FROM (
         SELECT o.guild_no, o.webhook_id, o.attempt_id, o.at, given.kept_from,
           row_number() OVER (PARTITION BY o.guild_no, o.webhook_id ORDER BY o.at DESC, o.attempt_id DESC) AS place
         FROM ${rowsOf('$1', 'given', { guild_no: 'bigint', webhook_id: 'text', kept_from: 'bigint' })}
         JOIN webhook_attempt AS o ON o.guild_no = given.guild_no AND o.webhook_id = given.webhook_id
       ) AS a WHERE a.place > ${ATTEMPTS_KEPT_MAX} OR a.at < a.kept_from)`,
);
const PUT_RETRIES = manyRows({
  table: 'webhook_retry',
  isOnOneMachine: true,
  columns: {
    guild_no: 'bigint',
    webhook_id: 'text',
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
  ({ rowsOf }) =>
    `DELETE FROM webhook_retry WHERE (guild_no, webhook_id, event_id) IN (SELECT guild_no, webhook_id, event_id
       FROM ${rowsOf('$1', 'given', { guild_no: 'bigint', webhook_id: 'text', event_id: 'text' })})`,
);
export const SET_RETRY_AT = statement(
  ({ rowsOf, least }) =>
    `UPDATE webhook SET retry_at = first.next_at,
       due_at = CASE WHEN status = 'active' THEN coalesce(${least('due_at', 'first.next_at')}, due_at, first.next_at) END
     FROM (SELECT given.guild_no, given.webhook_id, (SELECT min(r.next_at) FROM webhook_retry AS r
         WHERE r.guild_no = given.guild_no AND r.webhook_id = given.webhook_id) AS next_at
       FROM ${rowsOf('$1', 'given', { guild_no: 'bigint', webhook_id: 'text' })}) AS first
     WHERE webhook.guild_no = first.guild_no AND webhook.webhook_id = first.webhook_id`,
);

/** Stores attempts of endpoints, and deletes those that are too old or too many. */
export async function addAttempts(
  sql: Sql,
  given: readonly (WebhookRef & { attempts: readonly WebhookAttempt[] })[],
): Promise<void> {
  const kept = given
    .filter(({ attempts }) => attempts.length > 0)
    .map(({ attempts, ...webhook }) => ({ ...webhook, attempts: attempts.slice(-ATTEMPTS_KEPT_MAX) }));
  if (kept.length === 0) {
    return;
  }
  const rows = kept.flatMap(({ guildNo, webhookId, attempts }) =>
    attempts.map((attempt) => [
      guildNo,
      webhookId,
      attempt.attemptId,
      attempt.eventId,
      attempt.type,
      attempt.atMs,
      attempt.status ?? null,
      attempt.durationMs,
      attempt.error ?? null,
      attempt.payload ?? null,
      attempt.answer ?? null,
    ]),
  );
  await sql.runMany(INSERT_ATTEMPTS, [], rows);
  const trimmed = kept.map(({ guildNo, webhookId, attempts }) => ({
    guild_no: guildNo,
    webhook_id: webhookId,
    kept_from: (attempts.at(-1)?.atMs ?? 0) - ATTEMPTS_KEPT_MS,
  }));
  await sql.run(TRIM, [JSON.stringify(trimmed)]);
}

/** Adds deliveries that wait for another attempt, or moves them to another time. `setRetryAt` has to follow. */
export async function putRetries(
  sql: Sql,
  given: readonly (WebhookRef & { retries: readonly WebhookRetry[] })[],
): Promise<void> {
  const rows = given.flatMap(({ guildNo, webhookId, retries }) =>
    retries.map(({ eventId, type, body, attempts, nextAtMs, eventAtMs = null }) => [
      guildNo,
      webhookId,
      eventId,
      type,
      body,
      attempts,
      nextAtMs,
      eventAtMs,
    ]),
  );
  await sql.runMany(PUT_RETRIES, [], rows);
}

/** Deletes deliveries that no longer wait. `setRetryAt` has to follow. */
export async function settleRetries(
  sql: Sql,
  given: readonly (WebhookRef & { settled: readonly string[] })[],
): Promise<void> {
  const rows = given.flatMap(({ guildNo, webhookId, settled }) =>
    settled.map((eventId) => ({ guild_no: guildNo, webhook_id: webhookId, event_id: eventId })),
  );
  if (rows.length > 0) {
    await sql.run(SETTLE, [JSON.stringify(rows)]);
  }
}

/** Sets the time of the next retry of endpoints by their deliveries that wait. */
export async function setRetryAt(sql: Sql, webhooks: readonly WebhookRef[]): Promise<void> {
  if (webhooks.length > 0) {
    await sql.run(SET_RETRY_AT, [toRows(webhooks)]);
  }
}
