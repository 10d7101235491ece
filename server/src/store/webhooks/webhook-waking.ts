import { NO_GUILD } from '../audit/audit-writer.ts';
import type { Dialect } from '../dialect.ts';
import { type Engine, inLane } from '../jobs.ts';
import { statement } from '../sql.ts';
import type { MovedGuilds } from './moved-guilds.ts';
import { type Ends, readEnds } from './webhook-ends.ts';
import { isGiven, toRows, type WebhookRef } from './webhook-rows.ts';

/** Limit of the guilds that one look compares with their endpoints. */
const GUILDS_MAX = 1_000;
/**
 * Endpoints that each look compares with their logs, one after the other over all endpoints. This finds events of
 * writes that this process has not made, or had not noted when it was killed.
 */
export const SWEPT_MAX = 250;
/** Limit of the endpoints that one look wakes for the log that belongs to no guild. */
const FOLLOWERS_MAX = 500;

interface Candidate extends WebhookRef {
  isActive: boolean;
  isHeld: boolean;
  isQueued: boolean;
  isOverdue: boolean;
  feed: number | null;
  audit: number | null;
  people: number | null;
}

const candidates = ({
  greatest,
}: Dialect) => `w.guild_no AS "guildNo", w.webhook_id AS "webhookId", w.status = 'active' AS "isActive",
  w.lease_holder IS NOT NULL AND w.lease_until > $1 AS "isHeld",
  coalesce(w.due_at <= ${greatest('$1', 'w.lease_until')}, false) AS "isQueued",
  coalesce(w.check_at <= $1, false) OR coalesce(w.retry_at <= $1, false) AS "isOverdue",
  CASE WHEN w.follows_feed THEN w.feed_number END AS feed, CASE WHEN w.follows_audit THEN w.audit_entry_no END AS audit,
  CASE WHEN w.follows_people THEN w.people_entry_no END AS people`;
const AFTER = '(w.guild_no, w.webhook_id) > ($2, $3) ORDER BY w.guild_no, w.webhook_id LIMIT $4';

export const OF_GUILDS = statement<Candidate>(
  (dialect) =>
    `SELECT ${candidates(dialect)} FROM webhook AS w WHERE ${dialect.isOneOf('w.guild_no', { value: '$2', type: 'bigint' })}`,
);
export const NEXT_OF_ALL = statement<Candidate>(
  (dialect) => `SELECT ${candidates(dialect)} FROM webhook AS w WHERE ${AFTER}`,
);
export const NEXT_FOLLOWERS = statement<Candidate>(
  (dialect) =>
    `SELECT ${candidates(dialect)} FROM webhook AS w ${dialect.indexedBy('webhook_by_people')} WHERE w.follows_people AND ${AFTER}`,
);

// Skips locked rows: the guild stays among those that moved until a look finds its endpoints due.
const WAKE = statement(
  (dialect) =>
    `WITH woken (woken_guild_no, woken_webhook_id) AS (
       SELECT w.guild_no, w.webhook_id FROM webhook AS w WHERE ${isGiven(dialect)} AND w.status = 'active'
         AND coalesce(w.due_at > ${dialect.greatest('$2', 'w.lease_until')}, true)
       ORDER BY w.guild_no, w.webhook_id ${dialect.forUpdateSkipLocked})
     UPDATE webhook SET due_at = ${dialect.greatest('$2', 'lease_until')} FROM woken
     WHERE guild_no = woken_guild_no AND webhook_id = woken_webhook_id`,
);

interface Waking {
  endpoints: readonly WebhookRef[];
  nowMs: number;
}

export const WAKING_WRITES = {
  wakeWebhooks: inLane(
    (_: Waking) => 'webhook leases',
    (sql, { endpoints, nowMs }: Waking) => sql.run(WAKE, [toRows(endpoints), nowMs]),
  ),
};

/** The position before the first endpoint of a walk in the order of the primary key. Guild numbers begin with 1. */
const START: WebhookRef = { guildNo: 0, webhookId: '' };

export interface WakerParts {
  engine: Engine<typeof WAKING_WRITES>;
  moved: MovedGuilds;
}

/**
 * Makes endpoints due that have something to deliver. Compares only the endpoints of guilds that this process wrote
 * to, and the next few of all endpoints: its cost does not depend on the number of idle endpoints.
 */
export function createWaker({ engine, moved }: WakerParts): (nowMs: number) => Promise<void> {
  const { read, write } = engine;
  let swept = START;
  let follower: WebhookRef | undefined;
  let havePeopleMoved = false;
  let running: Promise<void> | undefined;

  async function nextSwept(nowMs: number): Promise<Candidate[]> {
    const found = await read.all(NEXT_OF_ALL, [nowMs, swept.guildNo, swept.webhookId, SWEPT_MAX]);
    swept = found.length < SWEPT_MAX ? START : (found.at(-1) ?? START);
    return found;
  }

  async function nextFollowers(nowMs: number): Promise<Candidate[]> {
    if (follower === undefined && !havePeopleMoved) {
      return [];
    }
    if (follower === undefined) {
      // A change during a walk begins another one after it, so that every walk reaches its end.
      havePeopleMoved = false;
      follower = START;
    }
    const { guildNo, webhookId } = follower;
    const found = await read.all(NEXT_FOLLOWERS, [nowMs, guildNo, webhookId, FOLLOWERS_MAX]);
    follower = found.length < FOLLOWERS_MAX ? undefined : found.at(-1);
    return found;
  }

  async function look(nowMs: number): Promise<void> {
    const guildNos = moved.take(GUILDS_MAX);
    try {
      havePeopleMoved ||= guildNos.includes(NO_GUILD);
      const ofGuilds = guildNos.length === 0 ? [] : await read.all(OF_GUILDS, [nowMs, guildNos]);
      const followers = await nextFollowers(nowMs);
      const found = [...ofGuilds, ...followers, ...(await nextSwept(nowMs))];
      const unqueued = found.filter(({ isActive, isQueued, isHeld }) => isActive && (isHeld || !isQueued));
      if (unqueued.length === 0) {
        return;
      }
      const ends = await readEnds(
        engine,
        unqueued.map(({ guildNo }) => guildNo),
      );
      const withWork = unqueued.filter((candidate) => hasWork(candidate, ends));
      const endpoints = withWork.filter(({ isQueued }) => !isQueued);
      const taken = new Set(guildNos);
      const unknown = unqueued.filter(({ guildNo }) => taken.has(guildNo) && ends.of(guildNo) === undefined);
      // Looked at again until it is due without a holder, who may be releasing it as idle at this moment, and until its
      // server answers.
      for (const { guildNo } of [...withWork, ...unknown]) {
        moved.add(guildNo);
      }
      havePeopleMoved ||= followers.length > 0 && !ends.knowsPeople;
      if (endpoints.length > 0) {
        await write('wakeWebhooks', { endpoints, nowMs });
      }
    } catch (error) {
      for (const guildNo of guildNos) {
        moved.add(guildNo);
      }
      throw error;
    }
  }

  // Claims of both kinds begin at the same time and share a look.
  return (nowMs) => {
    running ??= look(nowMs).finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** True when an endpoint has something to deliver, as far as is known. */
function hasWork({ guildNo, isOverdue, feed, audit, people }: Candidate, endsOf: Ends): boolean {
  const ends = endsOf.of(guildNo);
  const hasMore = (position: number | null, end: number) => position !== null && position < end;
  return (
    ends !== undefined &&
    (isOverdue || hasMore(feed, ends.feed) || hasMore(audit, ends.audit) || hasMore(people, ends.people))
  );
}
