import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type { Change } from '../../domain/model.ts';
import {
  type NewWebhook,
  type SealedField,
  WEBHOOKS_PER_GUILD_MAX,
  type WebhookChange,
} from '../../domain/webhooks/webhook.ts';
import {
  isAsExpected,
  keyIdOf,
  SEALED_COLUMNS,
  toAudited,
  toWebhook,
  type WebhookRow,
} from '../webhook-sql.ts';
import { createAuditWriter, NO_GUILD } from './audit.ts';
import { prepare } from './connection.ts';
import { createDeliveryWrites } from './webhook-delivery-writes.ts';
import { createRows, type WebhookRows, type WebhookTarget } from './webhook-rows.ts';

export type WebhookWrites = ReturnType<typeof createWebhookWrites>;

/** Where the logs of a guild end. */
export const LAST_ENTRY = '(SELECT coalesce(max(entry_no), 0) FROM audit_entry WHERE guild_no = ?)';
export const LAST_NUMBER = 'coalesce((SELECT last_number FROM guild_ledger WHERE guild_no = ?), 0)';

export function createWebhookWrites(db: DatabaseSync) {
  const rows = createRows(db);
  return { ...createEndpointWrites(db, rows), ...createDeliveryWrites(db, rows) };
}

function createEndpointWrites(db: DatabaseSync, rows: WebhookRows) {
  const count = prepare<{ count: number }>(db, 'SELECT count(*) AS count FROM webhook WHERE guild_no = ?');
  const insert = prepare(
    db,
    `INSERT INTO webhook (guild_no, webhook_id, kind, url, sealed_url, events, filter, status, sealed_secret, created_at,
       generation, follows_feed, follows_audit, follows_people, feed_number, audit_entry_no, people_entry_no,
       announced_keys, check_at, summary_at, lease_until, key_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, 1, ?, ?, ?, ${LAST_NUMBER}, ${LAST_ENTRY}, ${LAST_ENTRY}, '[]', ?, ?, 0, ?)`,
  );
  const update = prepare(
    db,
    `UPDATE webhook SET generation = generation + 1, url = ?, sealed_url = ?, events = ?, filter = ?, status = ?,
       disabled_reason = ?, sealed_secret = ?, sealed_old_secret = ?, old_secret_until = ?, failing_since = ?, follows_feed = ?,
       follows_audit = ?, follows_people = ?, summary_at = ?, check_at = ?, key_id = ?,
       lease_until = CASE WHEN lease_holder IS NULL THEN min(lease_until, ?) ELSE lease_until END,
       feed_number = CASE WHEN ? THEN ${LAST_NUMBER} ELSE feed_number END,
       audit_entry_no = CASE WHEN ? THEN ${LAST_ENTRY} ELSE audit_entry_no END,
       people_entry_no = CASE WHEN ? THEN ${LAST_ENTRY} ELSE people_entry_no END
     WHERE guild_no = ? AND webhook_id = ?`,
  );
  const prepareReseal = (column: string) =>
    prepare(db, `UPDATE webhook SET ${column} = ? WHERE guild_no = ? AND webhook_id = ? AND ${column} = ?`);
  const reseals = {
    sealedUrl: prepareReseal(SEALED_COLUMNS.sealedUrl),
    sealedSecret: prepareReseal(SEALED_COLUMNS.sealedSecret),
    sealedOldSecret: prepareReseal(SEALED_COLUMNS.sealedOldSecret),
  };
  const remove = prepare(db, 'DELETE FROM webhook WHERE guild_no = ? AND webhook_id = ?');
  const audit = createAuditWriter(db);
  const flag = (value: boolean) => (value ? 1 : 0);

  function log(
    target: WebhookTarget,
    change: Change,
    before: WebhookRow | undefined,
    after: WebhookRow | undefined,
  ) {
    audit({
      guildNo: target.guildNo,
      change,
      subjectKind: 'webhook',
      subjectId: target.webhookId,
      before: before && toAudited(toWebhook(before)),
      after: after && toAudited(toWebhook(after)),
    });
  }

  return {
    insertWebhook({ webhook, change }: { webhook: NewWebhook; change: Change }): WebhookRow {
      const { webhookId, kind, url, sealedUrl, events, filter, sealedSecret, createdAtMs } = webhook;
      const { guildNo } = webhook.guild;
      const { streams, checkAtMs, summaryAtMs } = webhook;
      if ((count.get(guildNo)?.count ?? 0) >= WEBHOOKS_PER_GUILD_MAX) {
        throw new DomainError('webhook_limit', { detail: String(WEBHOOKS_PER_GUILD_MAX) });
      }
      insert.run(
        guildNo,
        webhookId,
        kind,
        url,
        sealedUrl ?? null,
        JSON.stringify(events),
        JSON.stringify(filter),
        sealedSecret ?? null,
        createdAtMs,
        flag(streams.feed),
        flag(streams.audit),
        flag(streams.people),
        guildNo,
        guildNo,
        NO_GUILD,
        checkAtMs ?? null,
        summaryAtMs ?? null,
        keyIdOf(change),
      );
      const row = rows.find({ guildNo, webhookId });
      if (row === undefined) {
        throw new Error('an endpoint just written cannot be read');
      }
      log({ guildNo, webhookId }, change, undefined, row);
      return row;
    },

    updateWebhook(
      input: WebhookTarget & { wanted: WebhookChange; change: Change },
    ): WebhookRow | 'changed' | undefined {
      const { guildNo, webhookId, wanted, change } = input;
      const before = rows.find(input);
      if (before === undefined) {
        return undefined;
      }
      if (!isAsExpected(before, wanted.expected)) {
        return 'changed';
      }
      const isRevived = wanted.status === 'active' && before.status === 'disabled';
      const summaryAtMs = wanted.summaryAtMs === undefined ? before.summaryAtMs : wanted.summaryAtMs;
      update.run(
        wanted.url ?? before.url,
        wanted.sealedUrl ?? before.sealedUrl,
        wanted.events === undefined ? before.events : JSON.stringify(wanted.events),
        wanted.filter === undefined ? before.filter : JSON.stringify(wanted.filter),
        wanted.status ?? before.status,
        isRevived ? null : (wanted.disabledReason ?? before.disabledReason),
        wanted.sealedSecret ?? before.sealedSecret,
        wanted.sealedOldSecret === undefined ? before.sealedOldSecret : wanted.sealedOldSecret,
        wanted.oldSecretUntilMs === undefined ? before.oldSecretUntilMs : wanted.oldSecretUntilMs,
        isRevived ? null : before.failingSinceMs,
        flag(wanted.streams.feed),
        flag(wanted.streams.audit),
        flag(wanted.streams.people),
        summaryAtMs,
        // Whatever there is to check is looked at once, and finds out itself when it is due.
        change.atMs,
        keyIdOf(change),
        // An endpoint that was left alone because it failed is tried again at once.
        change.atMs,
        flag(wanted.fromNow.feed),
        guildNo,
        flag(wanted.fromNow.audit),
        guildNo,
        flag(wanted.fromNow.people),
        NO_GUILD,
        guildNo,
        webhookId,
      );
      const after = rows.find(input);
      log(input, change, before, after);
      return after;
    },

    resealWebhook(input: WebhookTarget & { field: SealedField; from: string; to: string }): boolean {
      const { guildNo, webhookId, field, from, to } = input;
      return Number(reseals[field].run(to, guildNo, webhookId, from).changes) > 0;
    },

    deleteWebhook(input: WebhookTarget & { change: Change }): boolean {
      const before = rows.find(input);
      if (before === undefined) {
        return false;
      }
      remove.run(input.guildNo, input.webhookId);
      log(input, input.change, before, undefined);
      return true;
    },
  };
}
