import { FAILING_COUNTS_AFTER_MS } from '../../domain/webhooks/retries.ts';
import type { WebhookClaim } from '../../domain/webhooks/webhook.ts';
import { type Sql, statement } from '../sql.ts';
import type { WebhookRef } from './webhook-rows.ts';

/**
 * The same rule as `countsAsFailing`. The parameter stays outside the sum, so that PostgreSQL takes its type from the
 * column.
 */
const COUNTS_AS_FAILING = `coalesce(w.failing_since + ${FAILING_COUNTS_AFTER_MS} <= $1, false)`;
const LONGEST_FREE_FIRST = 'ORDER BY w.lease_until, w.guild_no, w.webhook_id';

/**
 * The due endpoints that a claim gets. Of each guild it takes those that have been free for longest, up to the
 * guild's limit, which includes the held ones. Of these it takes at most `$4` that count as failing, and at most `$3`
 * in all. The index on `due_at` leaves out idle endpoints.
 */
export const FIND_WORK = statement<WebhookRef>(
  `SELECT w.guild_no AS "guildNo", w.webhook_id AS "webhookId" FROM (
     SELECT w.*, row_number() OVER (PARTITION BY w.is_failing ${LONGEST_FREE_FIRST}) AS place FROM (
       SELECT w.guild_no, w.webhook_id, w.lease_until, ${COUNTS_AS_FAILING} AS is_failing,
         row_number() OVER (PARTITION BY w.guild_no ORDER BY w.lease_until, w.webhook_id) + (SELECT count(*) FROM webhook AS h
           WHERE h.guild_no = w.guild_no AND h.kind = $2 AND h.lease_holder IS NOT NULL AND h.lease_until > $1) AS place_in_guild
       FROM webhook AS w WHERE w.kind = $2 AND w.due_at <= $1 AND w.status = 'active' AND w.lease_until <= $1
     ) AS w WHERE w.place_in_guild <= $5
   ) AS w WHERE NOT w.is_failing OR w.place <= $4 ${LONGEST_FREE_FIRST} LIMIT $3`,
);

/**
 * Finds due endpoints that nobody holds, within the limits of the claim, the longest free ones first.
 */
export async function findWork(
  read: Sql,
  { nowMs, kind, limit, failingLimit, guildLimit }: WebhookClaim,
): Promise<WebhookRef[]> {
  return read.all(FIND_WORK, [nowMs, kind, limit, failingLimit, guildLimit]);
}
