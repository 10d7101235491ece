import { DomainError } from '../../domain/errors.ts';
import type { Change } from '../../domain/model.ts';
import {
  type NewWebhook,
  type Positions,
  WEBHOOKS_PER_GUILD_MAX,
  type WebhookChange,
} from '../../domain/webhooks/webhook.ts';
import { type AuditWriter, NO_GUILD, openAudit } from '../audit/audit-writer.ts';
import { type Sql, statement } from '../sql.ts';
import {
  FIND,
  isAsExpected,
  keyIdOf,
  LOCK,
  toAudited,
  toWebhook,
  type WebhookRef,
  type WebhookRow,
} from './webhook-rows.ts';

const COUNT = statement<{ count: number }>('SELECT count(*) AS count FROM webhook WHERE guild_no = $1');
/** The last numbers of a guild's logs. */
const ENDS = statement<Positions>(
  `SELECT coalesce((SELECT last_number FROM guild_ledger WHERE guild_no = $1), 0) AS feed,
     coalesce((SELECT last_entry_no FROM audit_counter WHERE guild_no = $1), 0) AS audit,
     coalesce((SELECT last_entry_no FROM audit_counter WHERE guild_no = ${NO_GUILD}), 0) AS people`,
);
const INSERT = statement(
  `INSERT INTO webhook (guild_no, webhook_id, kind, url, sealed_url, events, filter, status, sealed_secret, created_at,
     generation, follows_feed, follows_audit, follows_people, feed_number, audit_entry_no, people_entry_no, announced_keys,
     check_at, summary_at, lease_until, key_id, due_at, name)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 'active', $8, $9, 1, $10, $11, $12, $13, $14, $15, '[]', $16, $17, 0, $18, $16, $19)`,
);
const UPDATE = statement(
  ({ least }) =>
    `UPDATE webhook SET generation = generation + 1, url = $3, sealed_url = $4, events = $5, filter = $6, status = $7,
       disabled_reason = $8, sealed_secret = $9, sealed_old_secret = $10, old_secret_until = $11, failing_since = $12,
       follows_feed = $13, follows_audit = $14, follows_people = $15, summary_at = $16, check_at = $17,
       feed_number = coalesce($18, feed_number), audit_entry_no = coalesce($19, audit_entry_no),
       people_entry_no = coalesce($20, people_entry_no),
       lease_until = CASE WHEN lease_holder IS NULL THEN ${least('lease_until', '$21')} ELSE lease_until END, key_id = $22,
       due_at = $23, name = $24
     WHERE guild_no = $1 AND webhook_id = $2`,
);
const DELETE = statement('DELETE FROM webhook WHERE guild_no = $1 AND webhook_id = $2');

export interface WebhookInsert {
  webhook: NewWebhook;
  change: Change;
}

export async function insertWebhook(sql: Sql, { webhook, change }: WebhookInsert): Promise<WebhookRow> {
  const { webhookId, guild, streams, checkAtMs = null, summaryAtMs = null } = webhook;
  const { guildNo } = guild;
  const audit = await openLog(sql, guildNo, change);
  if (((await sql.first(COUNT, [guildNo]))?.count ?? 0) >= WEBHOOKS_PER_GUILD_MAX) {
    throw new DomainError('webhook_limit', { detail: String(WEBHOOKS_PER_GUILD_MAX) });
  }
  const ends = await sql.first(ENDS, [guildNo]);
  await sql.run(INSERT, [
    guildNo,
    webhookId,
    webhook.kind,
    webhook.url,
    webhook.sealedUrl ?? null,
    JSON.stringify(webhook.events),
    JSON.stringify(webhook.filter),
    webhook.sealedSecret ?? null,
    webhook.createdAtMs,
    streams.feed,
    streams.audit,
    streams.people,
    ends?.feed ?? 0,
    ends?.audit ?? 0,
    ends?.people ?? 0,
    checkAtMs,
    summaryAtMs,
    keyIdOf(change),
    webhook.name ?? null,
  ]);
  const row = await sql.first(FIND, [guildNo, webhookId]);
  if (row === undefined) {
    throw new Error('an endpoint just written cannot be read');
  }
  audit.add({ subjectId: webhookId, before: undefined, after: toAudited(toWebhook(row)) });
  await audit.write();
  return row;
}

export interface WebhookUpdate extends WebhookRef {
  wanted: WebhookChange;
  change: Change;
}

export async function updateWebhook(
  sql: Sql,
  { guildNo, webhookId, wanted, change }: WebhookUpdate,
): Promise<WebhookRow | 'changed' | undefined> {
  const audit = await openLog(sql, guildNo, change);
  const before = await sql.first(LOCK, [guildNo, webhookId]);
  if (before === undefined) {
    return undefined;
  }
  if (!isAsExpected(before, wanted.expected)) {
    return 'changed';
  }
  const isRevived = wanted.status === 'active' && before.status === 'disabled';
  const { streams, fromNow, status = before.status } = wanted;
  const ends = await sql.first(ENDS, [guildNo]);
  await sql.run(UPDATE, [
    guildNo,
    webhookId,
    wanted.url ?? before.url,
    wanted.sealedUrl ?? before.sealedUrl,
    wanted.events === undefined ? before.events : JSON.stringify(wanted.events),
    wanted.filter === undefined ? before.filter : JSON.stringify(wanted.filter),
    status,
    isRevived ? null : (wanted.disabledReason ?? before.disabledReason),
    wanted.sealedSecret ?? before.sealedSecret,
    wanted.sealedOldSecret === undefined ? before.sealedOldSecret : wanted.sealedOldSecret,
    wanted.oldSecretUntilMs === undefined ? before.oldSecretUntilMs : wanted.oldSecretUntilMs,
    isRevived ? null : before.failingSinceMs,
    streams.feed,
    streams.audit,
    streams.people,
    wanted.summaryAtMs === undefined ? before.summaryAtMs : wanted.summaryAtMs,
    // Due at once: the next claim checks the endpoint for work and sets the time of the next check.
    change.atMs,
    fromNow.feed ? (ends?.feed ?? 0) : null,
    fromNow.audit ? (ends?.audit ?? 0) : null,
    fromNow.people ? (ends?.people ?? 0) : null,
    // An endpoint that was paused because it failed is tried again at once.
    change.atMs,
    keyIdOf(change),
    status === 'active' ? change.atMs : null,
    wanted.name === undefined ? before.name : wanted.name,
  ]);
  const after = await sql.first(FIND, [guildNo, webhookId]);
  if (after !== undefined) {
    audit.add({
      subjectId: webhookId,
      before: toAudited(toWebhook(before)),
      after: toAudited(toWebhook(after)),
    });
  }
  await audit.write();
  return after;
}

export interface WebhookDelete extends WebhookRef {
  change: Change;
}

export async function deleteWebhook(
  sql: Sql,
  { guildNo, webhookId, change }: WebhookDelete,
): Promise<boolean> {
  const audit = await openLog(sql, guildNo, change);
  const before = await sql.first(LOCK, [guildNo, webhookId]);
  if (before === undefined) {
    return false;
  }
  await sql.run(DELETE, [guildNo, webhookId]);
  audit.add({ subjectId: webhookId, before: toAudited(toWebhook(before)), after: undefined });
  await audit.write();
  return true;
}

function openLog(sql: Sql, guildNo: number, change: Change): Promise<AuditWriter> {
  return openAudit(sql, { guildNo, change, subjectKind: 'webhook' });
}
