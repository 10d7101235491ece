import { USAGE_DAYS } from '../../domain/access/key-usage.ts';
import { dayOf } from '../../domain/calendar.ts';
import type { KeyUse } from '../../domain/ports.ts';
import { prepare, type Runner } from './statement.ts';

// Instances touch the same keys at the same time: locked in one order they cannot wait for each other.
const TOUCH = prepare(
  `WITH used AS (SELECT key_no, max(used_at) AS used_at FROM unnest($1::bigint[], $2::bigint[]) AS u (key_no, used_at)
     GROUP BY key_no),
   locked AS (SELECT key_no FROM api_key WHERE key_no = ANY ($1::bigint[]) ORDER BY key_no FOR NO KEY UPDATE)
   UPDATE api_key SET last_used_at = greatest(coalesce(last_used_at, 0), used.used_at)
   FROM used JOIN locked USING (key_no) WHERE api_key.key_no = used.key_no`,
);
// Ordered, for the same reason.
const ADD = prepare(
  `INSERT INTO key_usage AS known (guild_no, key_no, day, code, count)
   SELECT k.guild_no, k.key_no, c.day, c.code, sum(c.count)
   FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS c (key_no, day, code, count)
   JOIN api_key k USING (key_no) GROUP BY k.guild_no, k.key_no, c.day, c.code
   ORDER BY k.guild_no, k.key_no, c.day, c.code COLLATE "C"
   ON CONFLICT (guild_no, key_no, day, code) DO UPDATE SET count = known.count + excluded.count`,
);
const FORGET = prepare(
  `DELETE FROM key_usage u USING unnest($1::bigint[], $2::bigint[]) AS used (key_no, last_day)
   JOIN api_key k USING (key_no) WHERE u.guild_no = k.guild_no AND u.key_no = k.key_no AND u.day <= used.last_day`,
);

export async function touchKeys(transaction: Runner, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) {
    return;
  }
  const keyNos = uses.map(({ keyNo }) => keyNo);
  await transaction.run(TOUCH, [keyNos, uses.map(({ usedAtMs }) => usedAtMs)]);
  const counts = uses.flatMap(({ keyNo, counts: own = [] }) => own.map((count) => ({ keyNo, ...count })));
  if (counts.length > 0) {
    await transaction.run(ADD, [
      counts.map(({ keyNo }) => keyNo),
      counts.map(({ day }) => day),
      counts.map(({ code }) => code),
      counts.map(({ count }) => count),
    ]);
    await transaction.run(FORGET, [keyNos, uses.map(({ usedAtMs }) => dayOf(usedAtMs) - USAGE_DAYS)]);
  }
}
