import { FAILING_COUNTS_AFTER_MS } from '../../domain/webhooks/retries.ts';
import type { WebhookClaim } from '../../domain/webhooks/webhook.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import { type Sql, statement } from '../sql.ts';
import type { WebhookRef } from './webhook-rows.ts';

interface Candidate extends WebhookRef {
  isDue: boolean;
  isFailing: boolean;
  feed: number | null;
  audit: number | null;
  people: number | null;
}

interface End {
  guildNo: number;
  end: number;
}

const IS_FREE = `w.status = 'active' AND w.lease_until <= $1`;
/**
 * The same rule as `countsAsFailing`. The parameter stays outside the sum, so that PostgreSQL takes its type from the
 * column.
 */
const COUNTS_AS_FAILING = `coalesce(w.failing_since + ${FAILING_COUNTS_AFTER_MS} <= $1, false)`;
const HAS_WORK = `(w.check_at <= $1 OR w.retry_at <= $1
  OR (w.follows_feed AND w.feed_number < (SELECT l.last_number FROM guild_ledger AS l WHERE l.guild_no = w.guild_no))
  OR (w.follows_audit AND w.audit_entry_no < (SELECT c.last_entry_no FROM audit_counter AS c WHERE c.guild_no = w.guild_no))
  OR (w.follows_people AND w.people_entry_no < (SELECT c.last_entry_no FROM audit_counter AS c WHERE c.guild_no = ${NO_GUILD})))`;
const LONGEST_FREE_FIRST = 'ORDER BY w.lease_until, w.guild_no, w.webhook_id';

/**
 * The endpoints with work that a claim gets. Of each guild it takes those that have been free for longest, up to the
 * guild's limit, which includes the held ones. Of these it takes at most `$4` that count as failing, and at most `$3`
 * in all.
 */
const FIND_WORK = statement<WebhookRef>(
  `SELECT w.guild_no AS "guildNo", w.webhook_id AS "webhookId" FROM (
     SELECT w.*, row_number() OVER (PARTITION BY w.is_failing ${LONGEST_FREE_FIRST}) AS place FROM (
       SELECT w.guild_no, w.webhook_id, w.lease_until, ${COUNTS_AS_FAILING} AS is_failing,
         row_number() OVER (PARTITION BY w.guild_no ORDER BY w.lease_until, w.webhook_id) + (SELECT count(*) FROM webhook AS h
           WHERE h.guild_no = w.guild_no AND h.kind = $2 AND h.lease_holder IS NOT NULL AND h.lease_until > $1) AS place_in_guild
       FROM webhook AS w WHERE w.kind = $2 AND ${IS_FREE} AND ${HAS_WORK}
     ) AS w WHERE w.place_in_guild <= $5
   ) AS w WHERE NOT w.is_failing OR w.place <= $4 ${LONGEST_FREE_FIRST} LIMIT $3`,
);

// On a distributed store endpoints are on the coordinator and the logs that they follow on other nodes: no statement
// compares them.
const FIND_CANDIDATES = statement<Candidate>(
  `SELECT w.guild_no AS "guildNo", w.webhook_id AS "webhookId",
     coalesce(w.check_at <= $1, false) OR coalesce(w.retry_at <= $1, false) AS "isDue",
     CASE WHEN w.follows_feed THEN w.feed_number END AS feed, CASE WHEN w.follows_audit THEN w.audit_entry_no END AS audit,
     CASE WHEN w.follows_people THEN w.people_entry_no END AS people, ${COUNTS_AS_FAILING} AS "isFailing"
   FROM webhook AS w WHERE w.kind = $2 AND ${IS_FREE} ${LONGEST_FREE_FIRST}`,
);
const HELD = statement<{ guildNo: number; held: number }>(
  `SELECT guild_no AS "guildNo", count(*) AS held FROM webhook
   WHERE kind = $2 AND lease_holder IS NOT NULL AND lease_until > $1 GROUP BY guild_no`,
);
const FEED_ENDS = statement<End>(
  ({ isOneOf }) =>
    `SELECT guild_no AS "guildNo", last_number AS "end" FROM guild_ledger WHERE ${isOneOf('guild_no', { value: '$1', type: 'bigint' })}`,
);
const AUDIT_ENDS = statement<End>(
  ({ isOneOf }) =>
    `SELECT guild_no AS "guildNo", last_entry_no AS "end" FROM audit_counter WHERE ${isOneOf('guild_no', { value: '$1', type: 'bigint' })}`,
);

/**
 * Finds active endpoints with work that nobody holds, within the limits of the claim, the longest free ones first.
 */
export type FindWork = (read: Sql, claim: WebhookClaim) => Promise<WebhookRef[]>;

export function createFindWork({ isDistributed }: { isDistributed: boolean }): FindWork {
  return isDistributed
    ? findDistributed
    : async (read, { nowMs, kind, limit, failingLimit, guildLimit }) =>
        read.all(FIND_WORK, [nowMs, kind, limit, failingLimit, guildLimit]);
}

async function findDistributed(read: Sql, claim: WebhookClaim): Promise<WebhookRef[]> {
  const { nowMs, kind } = claim;
  const candidates = await read.all(FIND_CANDIDATES, [nowMs, kind]);
  if (candidates.length === 0) {
    return [];
  }
  const guildNos = [...new Set(candidates.map(({ guildNo }) => guildNo))];
  const feedEnds = toEnds(await read.all(FEED_ENDS, [guildNos]));
  const auditEnds = toEnds(await read.all(AUDIT_ENDS, [[...guildNos, NO_GUILD]]));
  const hasMore = (position: number | null, end = 0) => position !== null && position < end;
  const withWork = candidates.filter(
    ({ guildNo, isDue, feed, audit, people }) =>
      isDue ||
      hasMore(feed, feedEnds.get(guildNo)) ||
      hasMore(audit, auditEnds.get(guildNo)) ||
      hasMore(people, auditEnds.get(NO_GUILD)),
  );
  const held = await read.all(HELD, [nowMs, kind]);
  return pickFairly(withWork, new Map(held.map((one) => [one.guildNo, one.held])), claim);
}

/** Picks in the same way as FIND_WORK, in the order of the candidates. */
function pickFairly(
  candidates: readonly Candidate[],
  ofGuild: Map<number, number>,
  { limit, failingLimit, guildLimit }: WebhookClaim,
): WebhookRef[] {
  let failing = 0;
  const picked = candidates.filter(({ guildNo, isFailing }) => {
    const count = (ofGuild.get(guildNo) ?? 0) + 1;
    ofGuild.set(guildNo, count);
    if (count > guildLimit) {
      return false;
    }
    failing += isFailing ? 1 : 0;
    return !isFailing || failing <= failingLimit;
  });
  return picked.slice(0, limit);
}

function toEnds(rows: readonly End[]): Map<number, number> {
  return new Map(rows.map(({ guildNo, end }) => [guildNo, end]));
}
