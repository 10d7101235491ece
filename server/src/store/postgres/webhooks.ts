import { DomainError } from '../../domain/errors.ts';
import type { Change, GuildRef } from '../../domain/model.ts';
import {
  ATTEMPTS_KEPT_MAX,
  type NewWebhook,
  type Positions,
  WEBHOOKS_PER_GUILD_MAX,
  type Webhook,
  type WebhookChange,
} from '../../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../../domain/webhooks/webhook-store.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  isAsExpected,
  keyIdOf,
  RETRY_COLUMNS,
  type RetryRow,
  SEALED_COLUMNS,
  SEALED_WEBHOOK_COLUMNS,
  type SealedWebhookRow,
  toAttempt,
  toAudited,
  toRetry,
  toSealedWebhook,
  toWebhook,
  WEBHOOK_COLUMNS,
  WEBHOOK_TABLES,
  type WebhookRow,
} from '../webhook-sql.ts';
import { type AuditWriter, NO_GUILD, openAudit } from './audit.ts';
import { prepare, type Runner } from './statement.ts';
import {
  addAttempts,
  claimWebhooks,
  enqueue,
  LOCK_WEBHOOK,
  recordDelivery,
  rewind,
} from './webhook-deliveries.ts';
import { createFindWork, type Target } from './webhook-work.ts';
import type { Writer } from './write.ts';

const FIND = prepare<WebhookRow>(
  `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.guild_no = $1 AND w.webhook_id = $2`,
);
const FIND_ALL = prepare<WebhookRow>(
  `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.guild_no = $1 ORDER BY w.created_at, w.webhook_id`,
);
const FIND_BY_KEY = prepare<WebhookRow>(
  `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.key_id = $1 ORDER BY w.created_at, w.webhook_id`,
);
const FIND_ATTEMPTS = prepare<AttemptRow>(
  `SELECT ${ATTEMPT_COLUMNS} FROM webhook_attempt WHERE guild_no = $1 AND webhook_id = $2
   ORDER BY at DESC, attempt_id DESC LIMIT ${ATTEMPTS_KEPT_MAX}`,
);
const FIND_DUE = prepare<RetryRow>(
  `SELECT ${RETRY_COLUMNS} FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2 AND next_at <= $3
   ORDER BY next_at, event_id LIMIT $4`,
);
const COUNT_WAITING = prepare<{ waiting: number }>(
  'SELECT count(*) AS waiting FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2',
);
const COUNT = prepare<{ count: number }>('SELECT count(*) AS count FROM webhook WHERE guild_no = $1');
const ENDS = prepare<Positions>(
  `SELECT coalesce((SELECT last_number FROM guild_ledger WHERE guild_no = $1), 0) AS feed,
     coalesce((SELECT last_entry_no FROM audit_counter WHERE guild_no = $1), 0) AS audit,
     coalesce((SELECT last_entry_no FROM audit_counter WHERE guild_no = ${NO_GUILD}), 0) AS people`,
);
const INSERT = prepare(
  `INSERT INTO webhook (guild_no, webhook_id, kind, url, sealed_url, events, filter, status, sealed_secret, created_at,
     generation, follows_feed, follows_audit, follows_people, feed_number, audit_entry_no, people_entry_no, announced_keys,
     check_at, summary_at, lease_until, key_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 'active', $8, $9, 1, $10, $11, $12, $13, $14, $15, '[]', $16, $17, 0, $18)`,
);
const UPDATE = prepare(
  `UPDATE webhook SET generation = generation + 1, url = $3, sealed_url = $4, events = $5, filter = $6, status = $7,
     disabled_reason = $8, sealed_secret = $9, sealed_old_secret = $10, old_secret_until = $11, failing_since = $12,
     follows_feed = $13, follows_audit = $14, follows_people = $15, summary_at = $16, check_at = $17,
     feed_number = coalesce($18, feed_number), audit_entry_no = coalesce($19, audit_entry_no),
     people_entry_no = coalesce($20, people_entry_no),
     lease_until = CASE WHEN lease_holder IS NULL THEN least(lease_until, $21) ELSE lease_until END, key_id = $22
   WHERE guild_no = $1 AND webhook_id = $2`,
);
const FIND_SEALED = prepare<SealedWebhookRow>(
  `SELECT ${SEALED_WEBHOOK_COLUMNS} FROM webhook WHERE (guild_no, webhook_id) > ($1, $2)
   ORDER BY guild_no, webhook_id LIMIT $3`,
);
const prepareReseal = (column: string) =>
  prepare<Target>(
    `UPDATE webhook SET ${column} = $1 WHERE guild_no = $2 AND webhook_id = $3 AND ${column} = $4
     RETURNING guild_no AS "guildNo", webhook_id AS "webhookId"`,
  );
const RESEALS = {
  sealedUrl: prepareReseal(SEALED_COLUMNS.sealedUrl),
  sealedSecret: prepareReseal(SEALED_COLUMNS.sealedSecret),
  sealedOldSecret: prepareReseal(SEALED_COLUMNS.sealedOldSecret),
};
const DELETE = prepare('DELETE FROM webhook WHERE guild_no = $1 AND webhook_id = $2');

export interface WebhookStoreParts {
  read: Runner;
  writer: Writer;
  isDistributed: boolean;
}

export function createWebhookStore({ read, writer, isDistributed }: WebhookStoreParts): WebhookStore {
  const { write } = writer;
  const findWork = createFindWork({ isDistributed });
  /** Audited writes of one guild follow one another in the order given. */
  const inGuild = <Result>({ guildNo }: GuildRef, work: (transaction: Runner) => Promise<Result>) =>
    write(`guild ${guildNo}`, work);
  const ofWebhook = <Result>(webhookId: string, work: (transaction: Runner) => Promise<Result>) =>
    write(`webhook ${webhookId}`, work);
  return {
    insert: (webhook, change) =>
      inGuild(webhook.guild, (transaction) => insert(transaction, webhook, change)),
    list: async ({ guildNo }) => (await read.all(FIND_ALL, [guildNo])).map(toWebhook),
    listByKey: async (keyId) => (await read.all(FIND_BY_KEY, [keyId])).map(toWebhook),
    async find({ guildNo }, webhookId) {
      const row = await read.first(FIND, [guildNo, webhookId]);
      return row && toWebhook(row);
    },
    update: (guild, webhookId, wanted, change) =>
      inGuild(guild, (transaction) => update(transaction, { guild, webhookId }, wanted, change)),
    delete: (guild, webhookId, change) =>
      inGuild(guild, async (transaction) => {
        const audit = await openLog(transaction, guild, change);
        const before = await transaction.first(LOCK_WEBHOOK, [guild.guildNo, webhookId]);
        if (before === undefined) {
          return false;
        }
        await transaction.run(DELETE, [guild.guildNo, webhookId]);
        audit.add({ subjectId: webhookId, before: toAudited(toWebhook(before)), after: undefined });
        await audit.write();
        return true;
      }),
    attempts: async ({ guildNo }, webhookId) =>
      (await read.all(FIND_ATTEMPTS, [guildNo, webhookId])).map(toAttempt),
    addAttempt: ({ guildNo }, webhookId, attempt) =>
      ofWebhook(webhookId, async (transaction) => {
        if ((await transaction.first(LOCK_WEBHOOK, [guildNo, webhookId])) !== undefined) {
          await addAttempts(transaction, { guildNo, webhookId }, [attempt]);
        }
      }),
    rewind: ({ guildNo }, webhookId, sinceMs) =>
      ofWebhook(webhookId, (transaction) => rewind(transaction, { guildNo, webhookId }, sinceMs)),
    enqueue: ({ guildNo }, webhookId, retry) =>
      ofWebhook(webhookId, (transaction) => enqueue(transaction, { guildNo, webhookId }, retry)),
    claim: (lease) => claimWebhooks({ read, write, findWork }, lease),
    due: async ({ guildNo }, webhookId, { nowMs, limit }) =>
      (await read.all(FIND_DUE, [guildNo, webhookId, nowMs, limit])).map(toRetry),
    countWaiting: async ({ guildNo }, webhookId) =>
      (await read.first(COUNT_WAITING, [guildNo, webhookId]))?.waiting ?? 0,
    record: (progress) =>
      ofWebhook(progress.webhookId, (transaction) => recordDelivery(transaction, progress)),
    // Guilds are numbered from 1 on, so that 0 is in front of all of them.
    readSealed: async ({ after, limit }) =>
      (await read.all(FIND_SEALED, [after?.guildNo ?? 0, after?.webhookId ?? '', limit])).map(
        toSealedWebhook,
      ),
    reseal: async ({ guildNo, webhookId }, { field, from, to }) =>
      (await writer.admit(() => writer.writeOnce(RESEALS[field], [to, guildNo, webhookId, from]))) !==
      undefined,
    async ends({ guildNo }) {
      return (await read.first(ENDS, [guildNo])) ?? { feed: 0, audit: 0, people: 0 };
    },
  };
}

function openLog(transaction: Runner, { guildNo }: GuildRef, change: Change): Promise<AuditWriter> {
  return openAudit(transaction, { guildNo, change, subjectKind: 'webhook' });
}

async function insert(transaction: Runner, webhook: NewWebhook, change: Change) {
  const { webhookId, guild, streams, checkAtMs = null, summaryAtMs = null } = webhook;
  const { guildNo } = guild;
  const audit = await openLog(transaction, guild, change);
  if (((await transaction.first(COUNT, [guildNo]))?.count ?? 0) >= WEBHOOKS_PER_GUILD_MAX) {
    throw new DomainError('webhook_limit', { detail: String(WEBHOOKS_PER_GUILD_MAX) });
  }
  const ends = await transaction.first(ENDS, [guildNo]);
  await transaction.run(INSERT, [
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
  ]);
  const row = await transaction.first(FIND, [guildNo, webhookId]);
  if (row === undefined) {
    throw new Error('an endpoint just written cannot be read');
  }
  const made = toWebhook(row);
  audit.add({ subjectId: webhookId, before: undefined, after: toAudited(made) });
  await audit.write();
  return made;
}

async function update(
  transaction: Runner,
  { guild, webhookId }: { guild: GuildRef; webhookId: string },
  wanted: WebhookChange,
  change: Change,
): Promise<Webhook | 'changed' | undefined> {
  const { guildNo } = guild;
  const audit = await openLog(transaction, guild, change);
  const before = await transaction.first(LOCK_WEBHOOK, [guildNo, webhookId]);
  if (before === undefined) {
    return undefined;
  }
  if (!isAsExpected(before, wanted.expected)) {
    return 'changed';
  }
  const isRevived = wanted.status === 'active' && before.status === 'disabled';
  const { streams, fromNow } = wanted;
  const ends = await transaction.first(ENDS, [guildNo]);
  await transaction.run(UPDATE, [
    guildNo,
    webhookId,
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
    streams.feed,
    streams.audit,
    streams.people,
    wanted.summaryAtMs === undefined ? before.summaryAtMs : wanted.summaryAtMs,
    // Whatever there is to check is looked at once, and finds out itself when it is due.
    change.atMs,
    fromNow.feed ? (ends?.feed ?? 0) : null,
    fromNow.audit ? (ends?.audit ?? 0) : null,
    fromNow.people ? (ends?.people ?? 0) : null,
    // An endpoint that was left alone because it failed is tried again at once.
    change.atMs,
    keyIdOf(change),
  ]);
  const row = await transaction.first(FIND, [guildNo, webhookId]);
  const after = row && toWebhook(row);
  if (after !== undefined) {
    audit.add({ subjectId: webhookId, before: toAudited(toWebhook(before)), after: toAudited(after) });
  }
  await audit.write();
  return after;
}
