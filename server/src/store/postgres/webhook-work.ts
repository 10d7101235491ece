import { NO_GUILD } from './audit.ts';
import { prepare, type Runner } from './statement.ts';

/** An endpoint, by the numbers it is stored under. */
export interface Target {
  guildNo: number;
  webhookId: string;
}

interface Candidate extends Target {
  isDue: boolean;
  feed: number | null;
  audit: number | null;
  people: number | null;
}

interface End {
  guildNo: number;
  end: number;
}

const IS_FREE = `w.status = 'active' AND w.lease_until <= $1`;
const OLDEST_FIRST = 'ORDER BY w.lease_until, w.guild_no, w.webhook_id';

const FIND_WORK = prepare<Target>(
  `SELECT w.guild_no AS "guildNo", w.webhook_id AS "webhookId" FROM webhook AS w WHERE ${IS_FREE} AND (
     w.check_at <= $1 OR w.retry_at <= $1
     OR (w.follows_feed AND w.feed_number < (SELECT l.last_number FROM guild_ledger AS l WHERE l.guild_no = w.guild_no))
     OR (w.follows_audit AND w.audit_entry_no < (SELECT c.last_entry_no FROM audit_counter AS c WHERE c.guild_no = w.guild_no))
     OR (w.follows_people AND w.people_entry_no < (SELECT c.last_entry_no FROM audit_counter AS c WHERE c.guild_no = ${NO_GUILD}))
   ) ${OLDEST_FIRST} LIMIT $2`,
);

// Where tables are distributed, endpoints are on one machine and what they follow is on others: no statement compares them.
const FIND_CANDIDATES = prepare<Candidate>(
  `SELECT w.guild_no AS "guildNo", w.webhook_id AS "webhookId",
     coalesce(w.check_at <= $1, false) OR coalesce(w.retry_at <= $1, false) AS "isDue",
     CASE WHEN w.follows_feed THEN w.feed_number END AS feed, CASE WHEN w.follows_audit THEN w.audit_entry_no END AS audit,
     CASE WHEN w.follows_people THEN w.people_entry_no END AS people
   FROM webhook AS w WHERE ${IS_FREE} ${OLDEST_FIRST}`,
);
const FEED_ENDS = prepare<End>(
  'SELECT guild_no AS "guildNo", last_number AS "end" FROM guild_ledger WHERE guild_no = ANY ($1::bigint[])',
);
const AUDIT_ENDS = prepare<End>(
  'SELECT guild_no AS "guildNo", last_entry_no AS "end" FROM audit_counter WHERE guild_no = ANY ($1::bigint[])',
);

/** Finds active endpoints that nobody holds and for which something is there to do, those that wait the longest first. */
export type FindWork = (read: Runner, nowMs: number, limit: number) => Promise<Target[]>;

export function createFindWork({ isDistributed }: { isDistributed: boolean }): FindWork {
  return isDistributed ? findDistributed : (read, nowMs, limit) => read.all(FIND_WORK, [nowMs, limit]);
}

async function findDistributed(read: Runner, nowMs: number, limit: number): Promise<Target[]> {
  const candidates = await read.all(FIND_CANDIDATES, [nowMs]);
  if (candidates.length === 0) {
    return [];
  }
  const guildNos = [...new Set(candidates.map(({ guildNo }) => guildNo))];
  const feedEnds = toEnds(await read.all(FEED_ENDS, [guildNos]));
  const auditEnds = toEnds(await read.all(AUDIT_ENDS, [[...guildNos, NO_GUILD]]));
  const hasMore = (position: number | null, end = 0) => position !== null && position < end;
  return candidates
    .filter(
      ({ guildNo, isDue, feed, audit, people }) =>
        isDue ||
        hasMore(feed, feedEnds.get(guildNo)) ||
        hasMore(audit, auditEnds.get(guildNo)) ||
        hasMore(people, auditEnds.get(NO_GUILD)),
    )
    .slice(0, limit);
}

function toEnds(rows: readonly End[]): Map<number, number> {
  return new Map(rows.map(({ guildNo, end }) => [guildNo, end]));
}
