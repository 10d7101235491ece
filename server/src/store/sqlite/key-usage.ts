import type { DatabaseSync } from 'node:sqlite';
import { USAGE_DAYS } from '../../domain/access/key-usage.ts';
import { dayOf } from '../../domain/calendar.ts';
import type { KeyUse } from '../../domain/ports.ts';
import { prepare } from './connection.ts';

export function createUsageWrites(db: DatabaseSync) {
  const touch = prepare(
    db,
    'UPDATE api_key SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE key_no = ?',
  );
  const add = prepare(
    db,
    `INSERT INTO key_usage (guild_no, key_no, day, code, count)
     SELECT guild_no, key_no, ?, ?, ? FROM api_key WHERE key_no = ?
     ON CONFLICT (guild_no, key_no, day, code) DO UPDATE SET count = count + excluded.count`,
  );
  const forget = prepare(
    db,
    `DELETE FROM key_usage WHERE guild_no = (SELECT guild_no FROM api_key WHERE key_no = ?1) AND key_no = ?1 AND day <= ?2`,
  );
  return {
    touchKeys(uses: readonly KeyUse[]): void {
      for (const { keyNo, usedAtMs, counts = [] } of uses) {
        touch.run(usedAtMs, keyNo);
        for (const { day, code, count } of counts) {
          add.run(day, code, count, keyNo);
        }
        forget.run(keyNo, dayOf(usedAtMs) - USAGE_DAYS);
      }
    },
  };
}
