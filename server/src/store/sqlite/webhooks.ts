import type { DatabaseSync } from 'node:sqlite';
import type { GuildRef } from '../../domain/model.ts';
import { ATTEMPTS_KEPT_MAX, type Positions } from '../../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../../domain/webhooks/webhook-store.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  fairWorkSql,
  RETRY_COLUMNS,
  type RetryRow,
  SEALED_WEBHOOK_COLUMNS,
  type SealedWebhookRow,
  toAttempt,
  toRetry,
  toSealedWebhook,
  toWebhook,
  WEBHOOK_COLUMNS,
  WEBHOOK_TABLES,
  type WebhookRow,
} from '../webhook-sql.ts';
import { NO_GUILD } from './audit.ts';
import { prepare } from './connection.ts';
import { LAST_ENTRY, LAST_NUMBER, type WebhookWrites } from './webhook-writes.ts';
import type { Read, WriteOf } from './write.ts';

/** Active endpoints that nobody holds and for which something is there to do. */
const HAS_WORK = `w.status = 'active' AND w.lease_until <= ?1 AND (
    w.check_at <= ?1 OR w.retry_at <= ?1
    OR (w.follows_feed AND w.feed_number < (SELECT last_number FROM guild_ledger AS l WHERE l.guild_no = w.guild_no))
    OR (w.follows_audit AND w.audit_entry_no < (SELECT max(entry_no) FROM audit_entry AS e WHERE e.guild_no = w.guild_no))
    OR (w.follows_people AND w.people_entry_no < (SELECT max(entry_no) FROM audit_entry AS e WHERE e.guild_no = ${NO_GUILD}))
  )`;

export function createWebhookStore(
  db: DatabaseSync,
  read: Read,
  write: WriteOf<WebhookWrites>,
): WebhookStore {
  const find = prepare<WebhookRow>(
    db,
    `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.guild_no = ? AND w.webhook_id = ?`,
  );
  const findAll = prepare<WebhookRow>(
    db,
    `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.guild_no = ? ORDER BY w.created_at, w.webhook_id`,
  );
  const findByKey = prepare<WebhookRow>(
    db,
    `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.key_id = ? ORDER BY w.created_at, w.webhook_id`,
  );
  const findWork = prepare<{ guildNo: number; webhookId: string }>(
    db,
    fairWorkSql(HAS_WORK, { now: '?1', kind: '?2', limit: '?3', failingLimit: '?4', guildLimit: '?5' }),
  );
  const findAttempts = prepare<AttemptRow>(
    db,
    `SELECT ${ATTEMPT_COLUMNS} FROM webhook_attempt WHERE guild_no = ? AND webhook_id = ?
     ORDER BY at DESC, attempt_id DESC LIMIT ${ATTEMPTS_KEPT_MAX}`,
  );
  const findDue = prepare<RetryRow>(
    db,
    `SELECT ${RETRY_COLUMNS} FROM webhook_retry WHERE guild_no = ? AND webhook_id = ? AND next_at <= ?
     ORDER BY next_at, event_id LIMIT ?`,
  );
  const count = prepare<{ waiting: number }>(
    db,
    'SELECT count(*) AS waiting FROM webhook_retry WHERE guild_no = ? AND webhook_id = ?',
  );
  const findEnds = prepare<Positions>(
    db,
    `SELECT ${LAST_NUMBER} AS feed, ${LAST_ENTRY} AS audit, ${LAST_ENTRY} AS people`,
  );
  const findSealed = prepare<SealedWebhookRow>(
    db,
    `SELECT ${SEALED_WEBHOOK_COLUMNS} FROM webhook WHERE (guild_no, webhook_id) > (?, ?)
     ORDER BY guild_no, webhook_id LIMIT ?`,
  );
  const named = ({ guildNo }: GuildRef, webhookId: string) => ({ guildNo, webhookId });
  return {
    insert: async (webhook, change) => toWebhook(await write('insertWebhook', { webhook, change })),
    list: ({ guildNo }) => read(() => findAll.all(guildNo).map(toWebhook)),
    listByKey: (keyId) => read(() => findByKey.all(keyId).map(toWebhook)),
    find: ({ guildNo }, webhookId) =>
      read(() => {
        const row = find.get(guildNo, webhookId);
        return row && toWebhook(row);
      }),
    async update(guild, webhookId, wanted, change) {
      const row = await write('updateWebhook', { ...named(guild, webhookId), wanted, change });
      return row === undefined || row === 'changed' ? row : toWebhook(row);
    },
    delete: (guild, webhookId, change) => write('deleteWebhook', { ...named(guild, webhookId), change }),
    attempts: ({ guildNo }, webhookId) => read(() => findAttempts.all(guildNo, webhookId).map(toAttempt)),
    addAttempt: (guild, webhookId, attempt) =>
      write('addWebhookAttempt', { ...named(guild, webhookId), attempt }),
    rewind: (guild, webhookId, sinceMs) => write('rewindWebhook', { ...named(guild, webhookId), sinceMs }),
    enqueue: (guild, webhookId, retry) => write('enqueueWebhook', { ...named(guild, webhookId), retry }),
    async claim({ holder, nowMs, untilMs, kind, limit, failingLimit, guildLimit }) {
      // Most looks find nothing and need no write.
      const work = await read(() => findWork.all(nowMs, kind, limit, failingLimit, guildLimit));
      return work.length === 0
        ? []
        : (await write('claimWebhooks', { holder, nowMs, untilMs, work })).map(toWebhook);
    },
    due: ({ guildNo }, webhookId, { nowMs, limit }) =>
      read(() => findDue.all(guildNo, webhookId, nowMs, limit).map(toRetry)),
    countWaiting: ({ guildNo }, webhookId) => read(() => count.get(guildNo, webhookId)?.waiting ?? 0),
    record: (progress) => write('recordDelivery', progress),
    // Guilds are numbered from 1 on, so that 0 is in front of all of them.
    readSealed: ({ after, limit }) =>
      read(() => findSealed.all(after?.guildNo ?? 0, after?.webhookId ?? '', limit).map(toSealedWebhook)),
    reseal: ({ guildNo, webhookId }, value) => write('resealWebhook', { guildNo, webhookId, ...value }),
    ends: ({ guildNo }) =>
      read(() => {
        const { feed = 0, audit = 0, people = 0 } = findEnds.get(guildNo, guildNo, NO_GUILD) ?? {};
        return { feed, audit, people };
      }),
  };
}
