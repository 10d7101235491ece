import {
  ATTEMPTS_KEPT_MAX,
  ATTEMPTS_KEPT_MS,
  type DeliveryProgress,
  type Webhook,
  type WebhookAttempt,
  type WebhookClaim,
  type WebhookRetry,
} from '../../domain/webhooks/webhook.ts';
import {
  DELIVERY_ACTOR,
  REWIND_LOOKED_AT,
  toAudited,
  toWebhook,
  WEBHOOK_COLUMNS,
  WEBHOOK_TABLES,
  type WebhookRow,
} from '../webhook-sql.ts';
import { NO_GUILD, openAudit } from './audit.ts';
import { prepare, type Runner } from './statement.ts';
import type { FindWork, Target } from './webhook-work.ts';
import type { Writer } from './write.ts';

// One that somebody took meanwhile is left to them, and one that somebody is writing to at this moment is not waited for.
const CLAIM = prepare<Target>(
  `WITH work AS (SELECT w.guild_no, w.webhook_id FROM webhook AS w
     JOIN unnest($1::bigint[], $2::text[]) AS found (guild_no, webhook_id)
       ON found.guild_no = w.guild_no AND found.webhook_id = w.webhook_id
     WHERE w.status = 'active' AND w.lease_until <= $3 ORDER BY w.guild_no, w.webhook_id FOR UPDATE OF w SKIP LOCKED)
   UPDATE webhook AS c SET lease_holder = $4, lease_until = $5 FROM work
   WHERE c.guild_no = work.guild_no AND c.webhook_id = work.webhook_id
   RETURNING c.guild_no AS "guildNo", c.webhook_id AS "webhookId"`,
);
const FIND_CLAIMED = prepare<WebhookRow>(
  `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES}
   WHERE (w.guild_no, w.webhook_id) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
);
/** Before every change: a change that commits at the same moment is waited for, and not overwritten with what was read before. */
export const LOCK_WEBHOOK = prepare<WebhookRow & { holder: string | null }>(
  `SELECT ${WEBHOOK_COLUMNS}, w.lease_holder AS holder FROM ${WEBHOOK_TABLES}
   WHERE w.guild_no = $1 AND w.webhook_id = $2 FOR UPDATE OF w`,
);
const INSERT_ATTEMPTS = prepare(
  `INSERT INTO webhook_attempt (guild_no, webhook_id, attempt_id, event_id, type, at, status, duration_ms, error)
   SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[])`,
);
const TRIM = prepare(
  `DELETE FROM webhook_attempt WHERE guild_no = $1 AND webhook_id = $2 AND (at < $3 OR attempt_id IN (
     SELECT attempt_id FROM webhook_attempt WHERE guild_no = $1 AND webhook_id = $2
     ORDER BY at DESC, attempt_id DESC OFFSET ${ATTEMPTS_KEPT_MAX}))`,
);
const PUT_RETRIES = prepare(
  `INSERT INTO webhook_retry (guild_no, webhook_id, event_id, type, body, attempts, next_at, event_at)
   SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[])
   ON CONFLICT (guild_no, webhook_id, event_id) DO UPDATE SET body = excluded.body, attempts = excluded.attempts,
     next_at = excluded.next_at`,
);
const SETTLE = prepare(
  'DELETE FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2 AND event_id = ANY ($3::text[])',
);
const FORGET_RETRIES = prepare('DELETE FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2');
const SET_RETRY_AT = prepare(
  `UPDATE webhook SET retry_at = (SELECT min(next_at) FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2)
   WHERE guild_no = $1 AND webhook_id = $2`,
);
const RELEASE = prepare(
  'UPDATE webhook SET lease_holder = NULL, lease_until = $3 WHERE guild_no = $1 AND webhook_id = $2',
);
const RECORD = prepare(
  `UPDATE webhook SET feed_number = $3, audit_entry_no = $4, people_entry_no = $5, failing_since = $6,
     announced_keys = $7, check_at = $8, summary_at = $9, lease_until = $10, status = $11, disabled_reason = $12,
     lease_holder = $13
   WHERE guild_no = $1 AND webhook_id = $2`,
);
const FIRST_NUMBER = prepare<{ first: number | null }>(
  `SELECT min(number) AS first FROM (SELECT number FROM ledger_transaction WHERE guild_no = $1 AND created_at >= $2
     ORDER BY created_at, account_no, seq LIMIT ${REWIND_LOOKED_AT}) AS t`,
);
const FIRST_ENTRY_NO = prepare<{ first: number | null }>(
  `SELECT min(entry_no) AS first FROM (SELECT entry_no FROM audit_entry WHERE guild_no = $1 AND created_at >= $2
     ORDER BY created_at, entry_no LIMIT ${REWIND_LOOKED_AT}) AS e`,
);
// least() passes over what is null: nothing happened since then.
const REWIND = prepare(
  `UPDATE webhook SET generation = generation + 1, feed_number = least(feed_number, $3::bigint - 1),
     audit_entry_no = least(audit_entry_no, $4::bigint - 1), people_entry_no = least(people_entry_no, $5::bigint - 1)
   WHERE guild_no = $1 AND webhook_id = $2`,
);

/** Most looks find nothing and need no write. */
export async function claimWebhooks(
  { read, write, findWork }: { read: Runner; write: Writer['write']; findWork: FindWork },
  claim: WebhookClaim,
): Promise<Webhook[]> {
  const { holder, nowMs, untilMs } = claim;
  const found = await findWork(read, claim);
  if (found.length === 0) {
    return [];
  }
  const rows = await write('webhook leases', async (transaction) => {
    const claimed = await transaction.all(CLAIM, [...toColumns(found), nowMs, holder, untilMs]);
    return transaction.all(FIND_CLAIMED, toColumns(claimed));
  });
  return rows.map(toWebhook);
}

function toColumns(targets: readonly Target[]): [number[], string[]] {
  return [targets.map(({ guildNo }) => guildNo), targets.map(({ webhookId }) => webhookId)];
}

export async function addAttempts(
  transaction: Runner,
  { guildNo, webhookId }: Target,
  attempts: readonly WebhookAttempt[],
): Promise<void> {
  const kept = attempts.slice(-ATTEMPTS_KEPT_MAX);
  const last = kept.at(-1);
  if (last === undefined) {
    return;
  }
  await transaction.run(INSERT_ATTEMPTS, [
    guildNo,
    webhookId,
    kept.map(({ attemptId }) => attemptId),
    kept.map(({ eventId }) => eventId),
    kept.map(({ type }) => type),
    kept.map(({ atMs }) => atMs),
    kept.map(({ status }) => status ?? null),
    kept.map(({ durationMs }) => durationMs),
    kept.map(({ error }) => error ?? null),
  ]);
  await transaction.run(TRIM, [guildNo, webhookId, last.atMs - ATTEMPTS_KEPT_MS]);
}

async function putRetries(
  transaction: Runner,
  { guildNo, webhookId }: Target,
  retries: readonly WebhookRetry[],
): Promise<void> {
  if (retries.length > 0) {
    await transaction.run(PUT_RETRIES, [
      guildNo,
      webhookId,
      retries.map(({ eventId }) => eventId),
      retries.map(({ type }) => type),
      retries.map(({ body }) => body),
      retries.map(({ attempts }) => attempts),
      retries.map(({ nextAtMs }) => nextAtMs),
      retries.map(({ eventAtMs }) => eventAtMs ?? null),
    ]);
  }
}

export async function rewind(
  transaction: Runner,
  { guildNo, webhookId }: Target,
  sinceMs: number,
): Promise<boolean> {
  const number = await transaction.first(FIRST_NUMBER, [guildNo, sinceMs]);
  const entry = await transaction.first(FIRST_ENTRY_NO, [guildNo, sinceMs]);
  const person = await transaction.first(FIRST_ENTRY_NO, [NO_GUILD, sinceMs]);
  const firsts = [number, entry, person].map((row) => row?.first ?? null);
  return (await transaction.run(REWIND, [guildNo, webhookId, ...firsts])) > 0;
}

export async function enqueue(transaction: Runner, target: Target, retry: WebhookRetry): Promise<boolean> {
  const values = [target.guildNo, target.webhookId];
  if ((await transaction.first(LOCK_WEBHOOK, values)) === undefined) {
    return false;
  }
  await putRetries(transaction, target, [retry]);
  await transaction.run(SET_RETRY_AT, values);
  return true;
}

export async function recordDelivery(transaction: Runner, progress: DeliveryProgress): Promise<boolean> {
  const { webhookId, positions, disabledReason, nowMs } = progress;
  const { guildNo } = progress.guild;
  const target = { guildNo, webhookId };
  const change = { actor: DELIVERY_ACTOR, atMs: nowMs };
  // The log before the endpoint, as everywhere.
  const audit =
    disabledReason === undefined
      ? undefined
      : await openAudit(transaction, { guildNo, change, subjectKind: 'webhook' });
  const before = await transaction.first(LOCK_WEBHOOK, [guildNo, webhookId]);
  if (before === undefined) {
    return false;
  }
  await addAttempts(transaction, target, progress.attempts);
  if (before.holder !== progress.holder) {
    return false;
  }
  if (before.generation !== progress.generation) {
    await transaction.run(RELEASE, [guildNo, webhookId, nowMs]);
    return false;
  }
  await transaction.run(RECORD, [
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
  ]);
  if (progress.settled.length > 0) {
    await transaction.run(SETTLE, [guildNo, webhookId, progress.settled]);
  }
  await putRetries(transaction, target, progress.retries);
  if (audit !== undefined) {
    const webhook = toWebhook(before);
    await transaction.run(FORGET_RETRIES, [guildNo, webhookId]);
    audit.add({
      subjectId: webhookId,
      before: toAudited(webhook),
      after: toAudited({ ...webhook, status: 'disabled', disabledReason }),
    });
    await audit.write();
  }
  await transaction.run(SET_RETRY_AT, [guildNo, webhookId]);
  return true;
}
