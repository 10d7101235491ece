import { ANSWERED, REFUSALS_NOTED, USAGE_DAYS_MAX } from '../../domain/access/key-usage.ts';
import type { RefusalCount } from '../../domain/access/refusal-jumps.ts';
import { HOUR_MS, hourOf } from '../../domain/calendar.ts';
import type { Change, KeyUsageCount } from '../../domain/model.ts';
import type { KeyUse, RefusedHour } from '../../domain/ports.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { type Sql, statement } from '../sql.ts';

const HOURS_PER_DAY = 24;

// Instances touch the same keys at the same time. Locking them in one order prevents deadlocks.
const TOUCH = statement(
  ({ rowsOf, isOneOf, forUpdate, greatest }) =>
    `WITH used AS (SELECT key_no, max(used_at) AS used_at FROM ${rowsOf('$1', 'u', { key_no: 'bigint', used_at: 'bigint' })}
       GROUP BY key_no),
     locked AS (SELECT key_no FROM api_key WHERE ${isOneOf('key_no', { value: '$2', type: 'bigint' })}
       ORDER BY key_no ${forUpdate})
     UPDATE api_key SET last_used_at = ${greatest('coalesce(last_used_at, 0)', 'used.used_at')}
     FROM used JOIN locked USING (key_no) WHERE api_key.key_no = used.key_no`,
);
// Ordered for the same reason.
const ADD = statement(
  ({ rowsOf }) =>
    `INSERT INTO key_hour AS known (guild_no, key_no, hour, route, code, count)
     SELECT k.guild_no, k.key_no, c.hour, c.route, c.code, CAST(sum(c.count) AS bigint)
     FROM ${rowsOf('$1', 'c', { key_no: 'bigint', hour: 'bigint', route: 'text', code: 'text', count: 'bigint' })}
     JOIN api_key k USING (key_no) GROUP BY k.guild_no, k.key_no, c.hour, c.route, c.code
     ORDER BY k.guild_no, k.key_no, c.hour, c.route, c.code
     ON CONFLICT (guild_no, key_no, hour, route, code) DO UPDATE SET count = known.count + excluded.count`,
);
const FORGET = statement(({ engine, rowsOf }) => {
  const ended = `${rowsOf('$1', 'used', { key_no: 'bigint', last_hour: 'bigint' })} JOIN api_key k USING (key_no)`;
  const isEnded = 'u.guild_no = k.guild_no AND u.key_no = k.key_no AND u.hour <= used.last_hour';
  // SQLite's DELETE has no USING. On a distributed store PostgreSQL deletes on every node only in this form.
  return engine === 'sqlite'
    ? `DELETE FROM key_hour WHERE (guild_no, key_no, hour) IN (
         SELECT u.guild_no, u.key_no, u.hour FROM ${ended} JOIN key_hour u ON ${isEnded})`
    : `DELETE FROM key_hour u USING ${ended} WHERE ${isEnded}`;
});
const FIND_REFUSED = statement<RefusedHour>(
  ({ rowsOf }) =>
    `SELECT u.key_no AS "keyNo", u.hour, CAST(sum(u.count) AS bigint) AS refused
     FROM ${rowsOf('$1', 'r', { key_no: 'bigint', hour: 'bigint' })} JOIN api_key k USING (key_no)
     JOIN key_hour u ON u.guild_no = k.guild_no AND u.key_no = k.key_no AND u.hour = r.hour
     WHERE u.code <> '${ANSWERED}' GROUP BY u.guild_no, u.key_no, u.hour HAVING sum(u.count) >= ${REFUSALS_NOTED}`,
);
const FIND_KEY = statement<{ guildNo: number; keyId: string; name: string }>(
  `SELECT guild_no AS "guildNo", key_id AS "keyId", name FROM api_key WHERE key_no = $1 AND deleted_at IS NULL`,
);
const NOTE_HOUR = statement(
  'UPDATE api_key SET refusals_noted_hour = $2 WHERE key_no = $1 AND coalesce(refusals_noted_hour, 0) < $2',
);
// Versions up to 0.2 counted days without routes, in key_usage. A process of such a version may still run.
const FIND = statement<KeyUsageCount>(
  `SELECT u.hour, u.route, u.code, u.count FROM api_key k
     JOIN key_hour u ON u.guild_no = k.guild_no AND u.key_no = k.key_no
     WHERE k.key_id = $1 AND u.guild_no = $2 AND u.hour >= $3
   UNION ALL
   SELECT u.day * 24, '', u.code, u.count FROM api_key k
     JOIN key_usage u ON u.guild_no = k.guild_no AND u.key_no = k.key_no
     WHERE k.key_id = $1 AND u.guild_no = $2 AND u.day >= $4
   ORDER BY 1, 2, 3`,
);
// SQLite reads the tables of a CROSS JOIN in the order given: the keys, then the hours of each by the primary key, without the older ones.
const HOURS_OF_GUILD = `api_key k CROSS JOIN key_hour u
   WHERE k.guild_no = $1 AND u.guild_no = $1 AND u.key_no = k.key_no AND k.deleted_at IS NULL AND u.hour >= $2`;
const FIND_OF_GUILD = statement<KeyUsageCount & { keyId: string }>(
  `SELECT k.key_id AS "keyId", u.hour, u.route, u.code, u.count FROM ${HOURS_OF_GUILD}
   ORDER BY k.key_id, u.hour, u.route, u.code`,
);
const FIND_REFUSALS = statement<RefusalCount>(
  `SELECT k.key_id AS "keyId", u.code,
     CAST(sum(CASE WHEN u.hour >= $3 THEN u.count ELSE 0 END) AS bigint) AS recent,
     CAST(sum(CASE WHEN u.hour < $3 THEN u.count ELSE 0 END) AS bigint) AS before
   FROM ${HOURS_OF_GUILD} AND u.code <> '${ANSWERED}' GROUP BY k.key_id, u.code ORDER BY k.key_id, u.code`,
);

export async function touchKeys(sql: Sql, uses: readonly KeyUse[]): Promise<RefusedHour[]> {
  if (uses.length === 0) {
    return [];
  }
  const used = uses.map(({ keyNo, usedAtMs }) => ({ key_no: keyNo, used_at: usedAtMs }));
  await sql.run(TOUCH, [JSON.stringify(used), uses.map(({ keyNo }) => keyNo)]);
  const counts = uses.flatMap(({ keyNo, counts: own = [] }) =>
    own.map(({ hour, route, code, count }) => ({ key_no: keyNo, hour, route, code, count })),
  );
  if (counts.length > 0) {
    await sql.run(ADD, [JSON.stringify(counts)]);
    const ends = uses.map(({ keyNo, usedAtMs }) => ({
      key_no: keyNo,
      last_hour: hourOf(usedAtMs) - USAGE_DAYS_MAX * HOURS_PER_DAY,
    }));
    await sql.run(FORGET, [JSON.stringify(ends)]);
  }
  const refused = counts.filter(({ code }) => code !== ANSWERED);
  const hours = new Map(refused.map(({ key_no, hour }) => [`${key_no} ${hour}`, { key_no, hour }]));
  return hours.size === 0 ? [] : sql.all(FIND_REFUSED, [JSON.stringify([...hours.values()])]);
}

export async function noteRefusals(
  sql: Sql,
  { keyNo, hour, refused, change }: RefusedHour & { change: Change },
): Promise<void> {
  const key = await sql.first(FIND_KEY, [keyNo]);
  if (key === undefined) {
    return;
  }
  const { guildNo, keyId, name } = key;
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'key' });
  if ((await sql.run(NOTE_HOUR, [keyNo, hour])) === 0) {
    // Another process has noted this hour.
    return;
  }
  const after = { name, refused, hour: new Date(hour * HOUR_MS).toISOString() };
  audit.add({ subjectId: keyId, before: {}, after });
  await audit.write();
}

/** The number of requests of a key since an hour, ordered by hour, route and code. */
export async function readUsage(
  sql: Sql,
  { guildNo, keyId, sinceHour }: { guildNo: number; keyId: string; sinceHour: number },
): Promise<KeyUsageCount[]> {
  return sql.all(FIND, [keyId, guildNo, sinceHour, Math.ceil(sinceHour / HOURS_PER_DAY)]);
}

/** The same for all keys of a guild that were not deleted. */
export async function readGuildUsage(
  sql: Sql,
  { guildNo, sinceHour }: { guildNo: number; sinceHour: number },
): Promise<(KeyUsageCount & { keyId: string })[]> {
  return sql.all(FIND_OF_GUILD, [guildNo, sinceHour]);
}

/** Refused requests of each key and code since an hour; those from `recentHour` on are counted apart. */
export async function readRefusals(
  sql: Sql,
  { guildNo, sinceHour, recentHour }: { guildNo: number; sinceHour: number; recentHour: number },
): Promise<RefusalCount[]> {
  return sql.all(FIND_REFUSALS, [guildNo, sinceHour, recentHour]);
}
