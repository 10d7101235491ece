import type { DatabaseSync } from 'node:sqlite';
import {
  ATTEMPTS_KEPT_MAX,
  ATTEMPTS_KEPT_MS,
  type WebhookAttempt,
  type WebhookRetry,
} from '../../domain/webhooks/webhook.ts';
import { WEBHOOK_COLUMNS, WEBHOOK_TABLES, type WebhookRow } from '../webhook-sql.ts';
import { prepare } from './connection.ts';

export interface WebhookTarget {
  guildNo: number;
  webhookId: string;
}

export type WebhookRows = ReturnType<typeof createRows>;

/** What several of the writes do. */
export function createRows(db: DatabaseSync) {
  const findRow = prepare<WebhookRow>(
    db,
    `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.guild_no = ? AND w.webhook_id = ?`,
  );
  const insertAttempt = prepare(
    db,
    `INSERT INTO webhook_attempt (guild_no, webhook_id, attempt_id, event_id, type, at, status, duration_ms, error)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const trim = prepare(
    db,
    `DELETE FROM webhook_attempt WHERE guild_no = ?1 AND webhook_id = ?2 AND (at < ?3 OR attempt_id IN (
       SELECT attempt_id FROM webhook_attempt WHERE guild_no = ?1 AND webhook_id = ?2
       ORDER BY at DESC, attempt_id DESC LIMIT -1 OFFSET ${ATTEMPTS_KEPT_MAX}))`,
  );
  const putRetry = prepare(
    db,
    `INSERT INTO webhook_retry (guild_no, webhook_id, event_id, type, body, attempts, next_at, event_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (guild_no, webhook_id, event_id) DO UPDATE SET body = excluded.body, attempts = excluded.attempts,
       next_at = excluded.next_at`,
  );
  const setRetryAt = prepare(
    db,
    `UPDATE webhook SET retry_at = (SELECT min(r.next_at) FROM webhook_retry AS r
       WHERE r.guild_no = webhook.guild_no AND r.webhook_id = webhook.webhook_id)
     WHERE guild_no = ? AND webhook_id = ?`,
  );
  return {
    find: ({ guildNo, webhookId }: WebhookTarget): WebhookRow | undefined => {
      const row = findRow.get(guildNo, webhookId);
      return row && { ...row };
    },
    addAttempts({ guildNo, webhookId }: WebhookTarget, attempts: readonly WebhookAttempt[]): void {
      const kept = attempts.slice(-ATTEMPTS_KEPT_MAX);
      for (const { attemptId, eventId, type, atMs, status, durationMs, error } of kept) {
        insertAttempt.run(
          guildNo,
          webhookId,
          attemptId,
          eventId,
          type,
          atMs,
          status ?? null,
          durationMs,
          error ?? null,
        );
      }
      const last = kept.at(-1);
      if (last !== undefined) {
        trim.run(guildNo, webhookId, last.atMs - ATTEMPTS_KEPT_MS);
      }
    },
    putRetries({ guildNo, webhookId }: WebhookTarget, retries: readonly WebhookRetry[]): void {
      for (const { eventId, type, body, attempts, nextAtMs, eventAtMs } of retries) {
        putRetry.run(guildNo, webhookId, eventId, type, body, attempts, nextAtMs, eventAtMs ?? null);
      }
    },
    setRetryAt: ({ guildNo, webhookId }: WebhookTarget) => setRetryAt.run(guildNo, webhookId),
  };
}
