import { hourOf } from '../../domain/calendar.ts';
import { inLane } from '../jobs.ts';
import { type Sql, statement } from '../sql.ts';

/** Removes audit entries, results of webhook deliveries, requests of keys, and ended sessions that are older than a time. */

const FIRST_ENTRIES = statement<{ entryNo: number; createdAtMs: number }>(
  `SELECT entry_no AS "entryNo", created_at AS "createdAtMs" FROM audit_entry WHERE guild_no = $1
   ORDER BY entry_no LIMIT $2`,
);
const MARK_REMOVED = statement(
  `INSERT INTO audit_removed (guild_no, through_entry_no) VALUES ($1, $2)
   ON CONFLICT (guild_no) DO UPDATE SET through_entry_no = excluded.through_entry_no`,
);
const REMOVE_ENTRIES = statement('DELETE FROM audit_entry WHERE guild_no = $1 AND entry_no <= $2');

const HAS_ATTEMPTS = statement<{ found: number }>(
  'SELECT 1 AS found FROM webhook_attempt WHERE guild_no = $1 AND at < $2 LIMIT 1',
);
const REMOVE_ATTEMPTS = statement('DELETE FROM webhook_attempt WHERE guild_no = $1 AND at < $2');

const HAS_KEY_LOG = statement<{ found: number }>(
  `SELECT CASE WHEN EXISTS (SELECT 1 FROM key_request WHERE guild_no = $1 AND at < $2)
     OR EXISTS (SELECT 1 FROM key_hour WHERE guild_no = $1 AND hour < $3) THEN 1 ELSE 0 END AS found`,
);
const REMOVE_REQUESTS = statement('DELETE FROM key_request WHERE guild_no = $1 AND at < $2');
const REMOVE_HOURS = statement('DELETE FROM key_hour WHERE guild_no = $1 AND hour < $2');

const REMOVE_SESSIONS = statement(
  ({ forUpdateSkipLocked }) =>
    `DELETE FROM session WHERE session_no IN (
       SELECT session_no FROM session WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 ${forUpdateSkipLocked})`,
);

interface OfGuild {
  guildNo: number;
  beforeMs: number;
}

/** The number of the last entry to remove, or undefined when there is none. */
export async function lastRemovable(
  sql: Sql,
  { guildNo, beforeMs, limit }: OfGuild & { limit: number },
): Promise<number | undefined> {
  const entries = await sql.all(FIRST_ENTRIES, [guildNo, limit + 1]);
  const firstKept = entries.findIndex(({ createdAtMs }) => createdAtMs >= beforeMs);
  // The last entry of a log stays: it has the number after which the log continues.
  const count = Math.min(firstKept === -1 ? entries.length : firstKept, entries.length - 1);
  return entries[count - 1]?.entryNo;
}

/** True when a guild has results of deliveries from before the time. */
export async function hasOldAttempts(sql: Sql, { guildNo, beforeMs }: OfGuild): Promise<boolean> {
  return (await sql.first(HAS_ATTEMPTS, [guildNo, beforeMs])) !== undefined;
}

/** True when a guild has requests or counts of its keys from before the time. */
export async function hasOldKeyLog(sql: Sql, { guildNo, beforeMs }: OfGuild): Promise<boolean> {
  return (await sql.first(HAS_KEY_LOG, [guildNo, beforeMs, hourOf(beforeMs)]))?.found === 1;
}

export const REMOVAL_WRITES = {
  // The log has no gaps: its entries are removed from its beginning, and the mark says how many.
  removeAuditEntries: inLane(
    () => 'retention',
    async (sql, { guildNo, throughEntryNo }: { guildNo: number; throughEntryNo: number }) => {
      await sql.allowRemoval();
      await sql.run(MARK_REMOVED, [guildNo, throughEntryNo]);
      return sql.run(REMOVE_ENTRIES, [guildNo, throughEntryNo]);
    },
  ),
  removeAttempts: inLane(
    () => 'retention',
    (sql, { guildNo, beforeMs }: OfGuild) => sql.run(REMOVE_ATTEMPTS, [guildNo, beforeMs]),
  ),
  removeKeyLog: inLane(
    () => 'retention',
    async (sql, { guildNo, beforeMs }: OfGuild) => {
      const requests = await sql.run(REMOVE_REQUESTS, [guildNo, beforeMs]);
      return requests + (await sql.run(REMOVE_HOURS, [guildNo, hourOf(beforeMs)]));
    },
  ),
  removeSessions: inLane(
    () => 'retention',
    (sql, { beforeMs, limit }: { beforeMs: number; limit: number }) =>
      sql.run(REMOVE_SESSIONS, [beforeMs, limit]),
  ),
};
