import type { WebhookAttempt, WebhookClaim, WebhookRetry } from '../../domain/webhooks/webhook.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import { type Sql, statement } from '../sql.ts';
import { addAttempts, putRetries, setRetryAt } from './webhook-retries.ts';
import {
  isGiven,
  LOCK,
  toRows,
  WEBHOOK_COLUMNS,
  WEBHOOK_TABLES,
  type WebhookRef,
  type WebhookRow,
} from './webhook-rows.ts';

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
    await addAttempts(sql, [{ ...webhook, attempts: [attempt] }]);
  }
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
  if ((await sql.first(LOCK, [webhook.guildNo, webhook.webhookId])) === undefined) {
    return false;
  }
  await putRetries(sql, [{ ...webhook, retries: [retry] }]);
  await setRetryAt(sql, [webhook]);
  return true;
}
