import type { DatabaseSync } from 'node:sqlite';
import type { DeliveryProgress, WebhookAttempt, WebhookRetry } from '../../domain/webhooks/webhook.ts';
import { DELIVERY_ACTOR, REWIND_LOOKED_AT, toAudited, toWebhook, type WebhookRow } from '../webhook-sql.ts';
import { createAuditWriter, NO_GUILD } from './audit.ts';
import { prepare } from './connection.ts';
import type { WebhookRows, WebhookTarget } from './webhook-rows.ts';

export function createDeliveryWrites(db: DatabaseSync, rows: WebhookRows) {
  const claim = prepare<{ guildNo: number }>(
    db,
    `UPDATE webhook SET lease_holder = ?, lease_until = ?
     WHERE guild_no = ? AND webhook_id = ? AND status = 'active' AND lease_until <= ? RETURNING guild_no AS guildNo`,
  );
  const findLease = prepare<{ holder: string | null; generation: number }>(
    db,
    'SELECT lease_holder AS holder, generation FROM webhook WHERE guild_no = ? AND webhook_id = ?',
  );
  const record = prepare(
    db,
    `UPDATE webhook SET feed_number = ?, audit_entry_no = ?, people_entry_no = ?, failing_since = ?, announced_keys = ?,
       check_at = ?, summary_at = ?, lease_holder = ?, lease_until = ?, status = ?, disabled_reason = ?
     WHERE guild_no = ? AND webhook_id = ?`,
  );
  const release = prepare(
    db,
    'UPDATE webhook SET lease_holder = NULL, lease_until = ? WHERE guild_no = ? AND webhook_id = ?',
  );
  const settle = prepare(
    db,
    'DELETE FROM webhook_retry WHERE guild_no = ? AND webhook_id = ? AND event_id = ?',
  );
  const forgetRetries = prepare(db, 'DELETE FROM webhook_retry WHERE guild_no = ? AND webhook_id = ?');
  const rewind = prepare(
    db,
    `UPDATE webhook SET generation = generation + 1,
       feed_number = min(feed_number, coalesce((SELECT min(number) FROM (SELECT number FROM ledger_transaction
         WHERE guild_no = ?1 AND created_at >= ?3 ORDER BY created_at, account_no, seq LIMIT ${REWIND_LOOKED_AT})) - 1, feed_number)),
       audit_entry_no = min(audit_entry_no, coalesce((SELECT min(entry_no) FROM (SELECT entry_no FROM audit_entry
         WHERE guild_no = ?1 AND created_at >= ?3 ORDER BY created_at, entry_no LIMIT ${REWIND_LOOKED_AT})) - 1, audit_entry_no)),
       people_entry_no = min(people_entry_no, coalesce((SELECT min(entry_no) FROM (SELECT entry_no FROM audit_entry
         WHERE guild_no = ${NO_GUILD} AND created_at >= ?3 ORDER BY created_at, entry_no LIMIT ${REWIND_LOOKED_AT})) - 1,
         people_entry_no))
     WHERE guild_no = ?1 AND webhook_id = ?2`,
  );
  const audit = createAuditWriter(db);

  return {
    claimWebhooks(input: {
      work: readonly WebhookTarget[];
      holder: string;
      nowMs: number;
      untilMs: number;
    }): WebhookRow[] {
      const { work, holder, nowMs, untilMs } = input;
      return work.flatMap((target) => {
        const won = claim.get(holder, untilMs, target.guildNo, target.webhookId, nowMs);
        return won === undefined ? [] : (rows.find(target) ?? []);
      });
    },

    addWebhookAttempt({ attempt, ...target }: WebhookTarget & { attempt: WebhookAttempt }): void {
      if (rows.find(target) !== undefined) {
        rows.addAttempts(target, [attempt]);
      }
    },

    rewindWebhook: ({ guildNo, webhookId, sinceMs }: WebhookTarget & { sinceMs: number }): boolean =>
      Number(rewind.run(guildNo, webhookId, sinceMs).changes) > 0,

    enqueueWebhook({ retry, ...target }: WebhookTarget & { retry: WebhookRetry }): boolean {
      if (rows.find(target) === undefined) {
        return false;
      }
      rows.putRetries(target, [retry]);
      rows.setRetryAt(target);
      return true;
    },

    recordDelivery(progress: DeliveryProgress): boolean {
      const { webhookId, positions, disabledReason, nowMs } = progress;
      const { guildNo } = progress.guild;
      const target = { guildNo, webhookId };
      const lease = findLease.get(guildNo, webhookId);
      const before = rows.find(target);
      if (lease === undefined || before === undefined) {
        return false;
      }
      rows.addAttempts(target, progress.attempts);
      if (lease.holder !== progress.holder) {
        return false;
      }
      if (lease.generation !== progress.generation) {
        release.run(nowMs, guildNo, webhookId);
        return false;
      }
      record.run(
        positions.feed,
        positions.audit,
        positions.people,
        progress.failingSinceMs ?? null,
        JSON.stringify(progress.announcedKeys),
        progress.checkAtMs ?? null,
        progress.summaryAtMs ?? null,
        progress.isHeld ? progress.holder : null,
        progress.leaseUntilMs,
        disabledReason === undefined ? before.status : 'disabled',
        disabledReason ?? before.disabledReason,
        guildNo,
        webhookId,
      );
      for (const eventId of progress.settled) {
        settle.run(guildNo, webhookId, eventId);
      }
      rows.putRetries(target, progress.retries);
      if (disabledReason !== undefined) {
        forgetRetries.run(guildNo, webhookId);
        audit({
          guildNo,
          change: { actor: DELIVERY_ACTOR, atMs: nowMs },
          subjectKind: 'webhook',
          subjectId: webhookId,
          before: toAudited(toWebhook(before)),
          after: toAudited({ ...toWebhook(before), status: 'disabled', disabledReason }),
        });
      }
      rows.setRetryAt(target);
      return true;
    },
  };
}
