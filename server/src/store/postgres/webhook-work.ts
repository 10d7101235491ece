import type { WebhookClaim } from '../../domain/webhooks/webhook.ts';
import { countsAsFailingSql, fairWorkSql } from '../webhook-sql.ts';
import { NO_GUILD } from './audit.ts';
import { prepare, type Runner } from './statement.ts';

/** An endpoint, by the numbers it is stored under. */
export interface Target {
  guildNo: number;
  webhookId: string;
}

interface Candidate extends Target {
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

const FIND_WORK = prepare<Target>(
  fairWorkSql(
    `${IS_FREE} AND (
     w.check_at <= $1 OR w.retry_at <= $1
     OR (w.follows_feed AND w.feed_number < (SELECT l.last_number FROM guild_ledger AS l WHERE l.guild_no = w.guild_no))
     OR (w.follows_audit AND w.audit_entry_no < (SELECT c.last_entry_no FROM audit_counter AS c WHERE c.guild_no = w.guild_no))
     OR (w.follows_people AND w.people_entry_no < (SELECT c.last_entry_no FROM audit_counter AS c WHERE c.guild_no = ${NO_GUILD})))`,
    { now: '$1', kind: '$2', limit: '$3', failingLimit: '$4', guildLimit: '$5' },
  ),
);

// Where tables are distributed, endpoints are on one machine and what they follow is on others: no statement compares them.
const FIND_CANDIDATES = prepare<Candidate>(
  `SELECT w.guild_no AS "guildNo", w.webhook_id AS "webhookId",
     coalesce(w.check_at <= $1, false) OR coalesce(w.retry_at <= $1, false) AS "isDue",
     CASE WHEN w.follows_feed THEN w.feed_number END AS feed, CASE WHEN w.follows_audit THEN w.audit_entry_no END AS audit,
     CASE WHEN w.follows_people THEN w.people_entry_no END AS people, ${countsAsFailingSql('$1')} AS "isFailing"
   FROM webhook AS w WHERE w.kind = $2 AND ${IS_FREE} ORDER BY w.lease_until, w.guild_no, w.webhook_id`,
);
const HELD = prepare<{ guildNo: number; held: number }>(
  `SELECT guild_no AS "guildNo", count(*) AS held FROM webhook
   WHERE kind = $2 AND lease_holder IS NOT NULL AND lease_until > $1 GROUP BY guild_no`,
);
const FEED_ENDS = prepare<End>(
  'SELECT guild_no AS "guildNo", last_number AS "end" FROM guild_ledger WHERE guild_no = ANY ($1::bigint[])',
);
const AUDIT_ENDS = prepare<End>(
  'SELECT guild_no AS "guildNo", last_entry_no AS "end" FROM audit_counter WHERE guild_no = ANY ($1::bigint[])',
);

/** Finds active endpoints that nobody holds and that have work, within the bounds of the claim, the longest free ones first. */
export type FindWork = (read: Runner, claim: WebhookClaim) => Promise<Target[]>;

export function createFindWork({ isDistributed }: { isDistributed: boolean }): FindWork {
  return isDistributed
    ? findDistributed
    : (read, { nowMs, kind, limit, failingLimit, guildLimit }) =>
        read.all(FIND_WORK, [nowMs, kind, limit, failingLimit, guildLimit]);
}

async function findDistributed(read: Runner, claim: WebhookClaim): Promise<Target[]> {
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

/** As `fairWorkSql` picks, in the order of the candidates. */
function pickFairly(
  candidates: readonly Candidate[],
  ofGuild: Map<number, number>,
  { limit, failingLimit, guildLimit }: WebhookClaim,
): Target[] {
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
