import { USAGE_DAYS } from '../../domain/access/key-usage.ts';
import { dayOf } from '../../domain/calendar.ts';
import type { KeyUse } from '../../domain/ports.ts';
import { type Sql, statement } from '../sql.ts';

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
    `INSERT INTO key_usage AS known (guild_no, key_no, day, code, count)
     SELECT k.guild_no, k.key_no, c.day, c.code, CAST(sum(c.count) AS bigint)
     FROM ${rowsOf('$1', 'c', { key_no: 'bigint', day: 'bigint', code: 'text', count: 'bigint' })}
     JOIN api_key k USING (key_no) GROUP BY k.guild_no, k.key_no, c.day, c.code
     ORDER BY k.guild_no, k.key_no, c.day, c.code
     ON CONFLICT (guild_no, key_no, day, code) DO UPDATE SET count = known.count + excluded.count`,
);
const FORGET = statement(({ engine, rowsOf }) => {
  const ended = `${rowsOf('$1', 'used', { key_no: 'bigint', last_day: 'bigint' })} JOIN api_key k USING (key_no)`;
  const isEnded = 'u.guild_no = k.guild_no AND u.key_no = k.key_no AND u.day <= used.last_day';
  // SQLite's DELETE has no USING. On a distributed store PostgreSQL deletes on every node only in this form.
  return engine === 'sqlite'
    ? `DELETE FROM key_usage WHERE (guild_no, key_no, day) IN (
         SELECT u.guild_no, u.key_no, u.day FROM ${ended} JOIN key_usage u ON ${isEnded})`
    : `DELETE FROM key_usage u USING ${ended} WHERE ${isEnded}`;
});

export async function touchKeys(sql: Sql, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) {
    return;
  }
  const used = uses.map(({ keyNo, usedAtMs }) => ({ key_no: keyNo, used_at: usedAtMs }));
  await sql.run(TOUCH, [JSON.stringify(used), uses.map(({ keyNo }) => keyNo)]);
  const counts = uses.flatMap(({ keyNo, counts: own = [] }) =>
    own.map(({ day, code, count }) => ({ key_no: keyNo, day, code, count })),
  );
  if (counts.length > 0) {
    await sql.run(ADD, [JSON.stringify(counts)]);
    const ends = uses.map(({ keyNo, usedAtMs }) => ({
      key_no: keyNo,
      last_day: dayOf(usedAtMs) - USAGE_DAYS,
    }));
    await sql.run(FORGET, [JSON.stringify(ends)]);
  }
}
