import { SERVICE_ACTOR } from '../../domain/model.ts';
import type { DeliveryProgress, WebhookStatus } from '../../domain/webhooks/webhook.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { type Sql, statement } from '../sql.ts';
import { addAttempts, putRetries, setRetryAt, settleRetries } from './webhook-retries.ts';
import { isGiven, LOCK, toAudited, toRows, toWebhook, type WebhookRef } from './webhook-rows.ts';

/** The columns of an endpoint that decide whether a result is written. */
interface Standing extends WebhookRef {
  holder: string | null;
  generation: number;
  status: WebhookStatus;
  disabledReason: string | null;
  retryAtMs: number | null;
}

export const LOCK_FREE = statement<Standing>(
  (dialect) =>
    `SELECT w.guild_no AS "guildNo", w.webhook_id AS "webhookId", w.lease_holder AS holder, w.generation, w.status,
       w.disabled_reason AS "disabledReason", w.retry_at AS "retryAtMs"
     FROM webhook AS w WHERE ${isGiven(dialect)} ORDER BY w.guild_no, w.webhook_id ${dialect.forUpdateSkipLocked}`,
);
const RELEASE = statement(
  ({ rowsOf }) =>
    `UPDATE webhook SET lease_holder = NULL, lease_until = given.free_from, due_at = given.free_from
     FROM ${rowsOf('$1', 'given', { guild_no: 'bigint', webhook_id: 'text', free_from: 'bigint' })}
     WHERE webhook.guild_no = given.guild_no AND webhook.webhook_id = given.webhook_id`,
);
const RECORDED = {
  guild_no: 'bigint',
  webhook_id: 'text',
  feed_number: 'bigint',
  audit_entry_no: 'bigint',
  people_entry_no: 'bigint',
  failing_since: 'bigint',
  announced_keys: 'text',
  check_at: 'bigint',
  summary_at: 'bigint',
  lease_until: 'bigint',
  status: 'text',
  disabled_reason: 'text',
  lease_holder: 'text',
  is_held: 'bigint',
  due_at: 'bigint',
} as const;
// A kept lease leaves `due_at` as it is: PostgreSQL then changes no index.
export const RECORD = statement(
  ({ rowsOf }) =>
    `UPDATE webhook SET feed_number = given.feed_number, audit_entry_no = given.audit_entry_no,
       people_entry_no = given.people_entry_no, failing_since = given.failing_since,
       announced_keys = given.announced_keys, check_at = given.check_at, summary_at = given.summary_at,
       lease_until = given.lease_until, status = given.status, disabled_reason = given.disabled_reason,
       lease_holder = given.lease_holder,
       due_at = CASE WHEN given.is_held = 1 THEN webhook.due_at ELSE given.due_at END
     FROM ${rowsOf('$1', 'given', RECORDED)}
     WHERE webhook.guild_no = given.guild_no AND webhook.webhook_id = given.webhook_id`,
);
const FORGET_RETRIES = statement('DELETE FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2');

interface Result {
  progress: DeliveryProgress;
  standing: Standing;
}

/**
 * Writes the progress of several endpoints with a few statements. The outcome is 'locked' for an endpoint that another
 * transaction has locked, that occurs earlier in the list or that does not exist: its progress has to be written alone.
 */
export async function recordDeliveries(
  sql: Sql,
  given: readonly DeliveryProgress[],
): Promise<(boolean | 'locked')[]> {
  const rows = await sql.all(LOCK_FREE, [toRows(given.map(refOf))]);
  const locked = new Map(rows.map((standing) => [standing.webhookId, standing]));
  const results = given.flatMap((progress) => {
    const standing = locked.get(progress.webhookId);
    locked.delete(progress.webhookId);
    return standing === undefined ? [] : [{ progress, standing }];
  });
  const written = await writeResults(sql, results);
  const outcomes = new Map(results.map(({ progress }, index) => [progress, written[index]]));
  return given.map((progress) => outcomes.get(progress) ?? 'locked');
}

/** Writes the progress of one endpoint, after waiting for its lock. */
export async function recordDelivery(sql: Sql, progress: DeliveryProgress): Promise<boolean> {
  const { disabledReason, nowMs } = progress;
  const { guildNo, webhookId } = refOf(progress);
  const change = { actor: SERVICE_ACTOR, atMs: nowMs };
  // Every write locks the log before the endpoint.
  const audit =
    disabledReason === undefined
      ? undefined
      : await openAudit(sql, { guildNo, change, subjectKind: 'webhook' });
  const before = await sql.first(LOCK, [guildNo, webhookId]);
  if (before === undefined) {
    return false;
  }
  const [isWritten = false] = await writeResults(sql, [{ progress, standing: before }]);
  if (isWritten && audit !== undefined) {
    const webhook = toWebhook(before);
    await sql.run(FORGET_RETRIES, [guildNo, webhookId]);
    await setRetryAt(sql, [{ guildNo, webhookId }]);
    audit.add({
      subjectId: webhookId,
      before: toAudited(webhook),
      after: toAudited({ ...webhook, status: 'disabled', disabledReason }),
    });
    await audit.write();
  }
  return isWritten;
}

/** Writes results of endpoints that are locked. False where only the attempts were stored. */
async function writeResults(sql: Sql, results: readonly Result[]): Promise<boolean[]> {
  if (results.length === 0) {
    return [];
  }
  const isHolder = ({ progress, standing }: Result) => standing.holder === progress.holder;
  const isSame = ({ progress, standing }: Result) => standing.generation === progress.generation;
  await addAttempts(
    sql,
    results.map(({ progress }) => ({ ...refOf(progress), attempts: progress.attempts })),
  );
  const changed = results.filter((result) => isHolder(result) && !isSame(result));
  if (changed.length > 0) {
    await sql.run(RELEASE, [JSON.stringify(changed.map(toReleased))]);
  }
  const valid = results.filter((result) => isHolder(result) && isSame(result));
  if (valid.length > 0) {
    await record(sql, valid);
  }
  return results.map((result) => isHolder(result) && isSame(result));
}

async function record(sql: Sql, valid: readonly Result[]): Promise<void> {
  await sql.run(RECORD, [JSON.stringify(valid.map(toRecorded))]);
  const progress = valid.map(({ progress: { settled, retries }, standing: { guildNo, webhookId } }) => ({
    guildNo,
    webhookId,
    settled,
    retries,
  }));
  await settleRetries(sql, progress);
  await putRetries(sql, progress);
  // Without retries before and after, `due_at` and `retry_at` are right already.
  const retrying = valid.filter(
    ({ progress: { retries }, standing }) => retries.length > 0 || standing.retryAtMs !== null,
  );
  await setRetryAt(
    sql,
    retrying.map(({ standing }) => standing),
  );
}

const refOf = ({ guild, webhookId }: Pick<DeliveryProgress, 'guild' | 'webhookId'>): WebhookRef => ({
  guildNo: guild.guildNo,
  webhookId,
});

function toReleased({ progress }: Result) {
  const { guildNo, webhookId } = refOf(progress);
  return { guild_no: guildNo, webhook_id: webhookId, free_from: progress.nowMs };
}

function toRecorded({ progress, standing }: Result): Record<keyof typeof RECORDED, string | number | null> {
  const { positions, disabledReason, isHeld } = progress;
  const { guildNo, webhookId } = refOf(progress);
  return {
    guild_no: guildNo,
    webhook_id: webhookId,
    feed_number: positions.feed,
    audit_entry_no: positions.audit,
    people_entry_no: positions.people,
    failing_since: progress.failingSinceMs ?? null,
    announced_keys: JSON.stringify(progress.announcedKeys),
    check_at: progress.checkAtMs ?? null,
    summary_at: progress.summaryAtMs ?? null,
    lease_until: progress.leaseUntilMs,
    status: disabledReason === undefined ? standing.status : 'disabled',
    disabled_reason: disabledReason ?? standing.disabledReason,
    lease_holder: isHeld ? progress.holder : null,
    is_held: isHeld ? 1 : 0,
    due_at: dueAfterRelease(progress),
  };
}

/**
 * The time at which a released endpoint has something to do, as far as its holder knows; null for never. Retries are
 * added by `setRetryAt`, and events since then by the next look.
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
