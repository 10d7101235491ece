import type { KeyRange, RangeEnd, RetentionStore } from '../../domain/retention/retention-store.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import { type Engine, inLane, inOneStatement } from '../jobs.ts';
import { type Sql, statement } from '../sql.ts';
import { hasOldAttempts, hasOldKeyLog, lastRemovable, REMOVAL_WRITES } from './removals.ts';

const TAKE_LEASE = statement<{ holder: string }>(
  `INSERT INTO background_job AS job (name, holder, lease_until) VALUES ($1, $2, $4)
   ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
   WHERE job.lease_until <= $3 OR job.holder = excluded.holder
   RETURNING holder`,
);
const FIND_GUILDS = statement<{ guildNo: number }>(
  'SELECT guild_no AS "guildNo" FROM guild WHERE guild_no > $1 ORDER BY guild_no LIMIT $2',
);
const FIND_OLDEST = statement<{ createdAtMs: number }>(
  ({ indexedBy }) =>
    `SELECT created_at AS "createdAtMs" FROM ledger_transaction ${indexedBy('ledger_by_time')}
     WHERE guild_no = $1 ORDER BY created_at LIMIT 1`,
);

// A key has no time of its own: it is as old as its transaction, which the primary key finds. So keys need no index by
// time, which every post would have to write.
const createdAt = (key: string) =>
  `(SELECT t.created_at FROM ledger_transaction AS t
    WHERE t.guild_no = $1 AND t.account_no = ${key}.account_no AND t.seq = ${key}.seq)`;
const FIND_KEYS = statement<{ key: string; createdAtMs: number | null }>(
  `SELECT i.idempotency_key AS key, ${createdAt('i')} AS "createdAtMs" FROM idempotency AS i
   WHERE i.guild_no = $1 AND i.idempotency_key > $2 ORDER BY i.idempotency_key LIMIT $3`,
);
// Compares the time again: the key may belong to a new post by now.
const REMOVE_KEYS = statement(
  ({ isOneOf }) =>
    `DELETE FROM idempotency WHERE guild_no = $1
       AND ${isOneOf('idempotency_key', { value: '$2', type: 'text' })} AND ${createdAt('idempotency')} < $3`,
);

const FIND_BATCHES = statement<{ key: string; seenAtMs: number | null }>(
  `SELECT batch_key AS key, seen_at AS "seenAtMs" FROM batch_request
   WHERE guild_no = $1 AND batch_key > $2 ORDER BY batch_key LIMIT $3`,
);
const NOTE_BATCHES = statement(
  ({ isOneOf }) =>
    `UPDATE batch_request SET seen_at = $3
     WHERE guild_no = $1 AND ${isOneOf('batch_key', { value: '$2', type: 'text' })} AND seen_at IS NULL`,
);
const REMOVE_BATCHES = statement(
  ({ isOneOf }) =>
    `DELETE FROM batch_request
     WHERE guild_no = $1 AND ${isOneOf('batch_key', { value: '$2', type: 'text' })} AND seen_at < $3`,
);

/** Keys of a guild, and the time before which they expire. */
interface OldKeys {
  guildNo: number;
  keys: readonly string[];
  beforeMs: number;
}

const inRetentionLane = <Input, Result>(run: (sql: Sql, input: Input) => Result | Promise<Result>) =>
  inLane((_: Input) => 'retention', run);

export const RETENTION_WRITES = {
  ...REMOVAL_WRITES,
  takeLease: inOneStatement(
    TAKE_LEASE,
    ({ job, holder, nowMs, untilMs }: Parameters<RetentionStore['takeLease']>[0]) => [
      job,
      holder,
      nowMs,
      untilMs,
    ],
    (row) => row !== undefined,
  ),
  removeKeys: inRetentionLane((sql, { guildNo, keys, beforeMs }: OldKeys) =>
    sql.run(REMOVE_KEYS, [guildNo, keys, beforeMs]),
  ),
  removeBatchKeys: inRetentionLane(
    async (
      sql,
      { guildNo, keys, beforeMs, unseen, nowMs }: OldKeys & { unseen: string[]; nowMs: number },
    ) => {
      if (unseen.length > 0) {
        await sql.run(NOTE_BATCHES, [guildNo, unseen, nowMs]);
      }
      return keys.length === 0 ? 0 : sql.run(REMOVE_BATCHES, [guildNo, keys, beforeMs]);
    },
  ),
};

export function createRetentionStore({ read, write }: Engine<typeof RETENTION_WRITES>): RetentionStore {
  return {
    takeLease: (lease) => write('takeLease', lease),
    guilds: async (afterNo, limit) =>
      (await read.all(FIND_GUILDS, [afterNo, limit])).map(({ guildNo }) => guildNo),
    oldestTransactionMs: async (guildNo) => (await read.first(FIND_OLDEST, [guildNo]))?.createdAtMs,
    async expireKeys(range, beforeMs) {
      const { guildNo, after, limit } = range;
      const rows = await read.all(FIND_KEYS, [guildNo, after, limit]);
      const keys = rows
        .filter(({ createdAtMs }) => (createdAtMs ?? beforeMs) < beforeMs)
        .map(({ key }) => key);
      const removed = keys.length === 0 ? 0 : await write('removeKeys', { guildNo, keys, beforeMs });
      return endOf(range, rows, removed);
    },
    async expireBatchKeys(range, { nowMs, beforeMs }) {
      const { guildNo, after, limit } = range;
      const rows = await read.all(FIND_BATCHES, [guildNo, after, limit]);
      const unseen = rows.filter(({ seenAtMs }) => seenAtMs === null).map(({ key }) => key);
      const keys = rows.filter(({ seenAtMs }) => (seenAtMs ?? beforeMs) < beforeMs).map(({ key }) => key);
      const removed =
        unseen.length + keys.length === 0
          ? 0
          : await write('removeBatchKeys', { guildNo, keys, unseen, nowMs, beforeMs });
      return endOf(range, rows, removed);
    },
    async removeAuditEntries(removal) {
      const { guildNo = NO_GUILD } = removal;
      const throughEntryNo = await lastRemovable(read, { ...removal, guildNo });
      return throughEntryNo === undefined ? 0 : write('removeAuditEntries', { guildNo, throughEntryNo });
    },
    removeAttempts: async (removal) =>
      (await hasOldAttempts(read, removal)) ? write('removeAttempts', removal) : 0,
    removeKeyLog: async (removal) =>
      (await hasOldKeyLog(read, removal)) ? write('removeKeyLog', removal) : 0,
    removeSessions: (removal) => write('removeSessions', removal),
  };
}

function endOf({ limit }: KeyRange, rows: readonly { key: string }[], removed: number): RangeEnd {
  return { next: rows.length < limit ? undefined : rows.at(-1)?.key, removed };
}
