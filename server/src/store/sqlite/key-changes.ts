import type { DatabaseSync } from 'node:sqlite';
import { dayOf, startOfDayMs } from '../../domain/calendar.ts';
import type { Change, GuildRef, KeyChange, KeyRotation } from '../../domain/model.ts';
import {
  assertRotatable,
  auditedKey,
  changedKey,
  findPresent,
  type LimitColumns,
  type PresentRow,
} from '../key-rows.ts';
import { createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';
import { createRevisionBump } from './revision.ts';

/** Which key a write has changed. */
export interface ChangedKey {
  keyId: string;
  guild: GuildRef;
}

interface KeyWrite {
  change: Change;
  guild: GuildRef | undefined;
}

export function createKeyChanges(db: DatabaseSync) {
  const findKey = prepare<PresentRow>(db, `${findPresent()} ?`);
  const rotate = prepareRotation(db);
  const setLimits = prepareLimits(db);
  const update = prepare(
    db,
    'UPDATE api_key SET name = ?, note = ?, networks = ?, route_limits = ? WHERE key_no = ?',
  );
  const bump = createRevisionBump(db, 'keys');
  const audit = createAuditWriter(db);

  function find(keyId: string, guild: GuildRef | undefined): PresentRow | undefined {
    const key = findKey.get(keyId);
    return guild !== undefined && guild.guildNo !== key?.guildNo ? undefined : key;
  }

  return {
    rotateKey({ rotation, change, guild }: KeyWrite & { rotation: KeyRotation }): ChangedKey | undefined {
      const { keyId, prefix, formerUntilMs } = rotation;
      const key = find(keyId, guild);
      if (key === undefined) {
        return undefined;
      }
      rotate(key, rotation, change.atMs);
      const { guildNo, guildId } = key;
      const [before, after] = [{ prefix: key.prefix }, { prefix, formerUntilMs }];
      audit({ guildNo, change, subjectKind: 'key', subjectId: keyId, before, after });
      bump();
      return { keyId, guild: { guildNo, guildId } };
    },

    updateKey(input: KeyWrite & { keyId: string; key: KeyChange }): ChangedKey | undefined {
      const { keyId, change, guild } = input;
      const key = find(keyId, guild);
      if (key === undefined) {
        return undefined;
      }
      const { guildNo, guildId } = key;
      const after = changedKey(key, input.key);
      update.run(after.name, after.note, after.networks, after.routeLimits, key.keyNo);
      setLimits(key, after, change.atMs);
      audit({
        guildNo,
        change,
        subjectKind: 'key',
        subjectId: keyId,
        before: auditedKey(key),
        after: auditedKey(after),
      });
      bump();
      return { keyId, guild: { guildNo, guildId } };
    },
  };
}

function prepareRotation(db: DatabaseSync) {
  const forgetEnded = prepare(db, 'DELETE FROM former_key WHERE key_no = ? AND valid_until <= ?');
  const shorten = prepare(
    db,
    'UPDATE former_key SET valid_until = ?1 WHERE key_no = ?2 AND valid_until > ?1',
  );
  const countValid = prepare<{ count: number }>(
    db,
    'SELECT count(*) AS count FROM former_key WHERE key_no = ? AND valid_until > ?',
  );
  const keep = prepare(db, 'INSERT INTO former_key (hash, key_no, valid_until) VALUES (?, ?, ?)');
  const replace = prepare(db, 'UPDATE api_key SET hash = ?, prefix = ? WHERE key_no = ?');
  return (key: PresentRow, { hash, prefix, formerUntilMs }: KeyRotation, atMs: number): void => {
    const { keyNo } = key;
    const formerCount = countValid.get(keyNo, atMs)?.count ?? 0;
    assertRotatable(key, { atMs, formerUntilMs, formerCount });
    shorten.run(formerUntilMs, keyNo);
    forgetEnded.run(keyNo, atMs);
    if (formerUntilMs > atMs) {
      keep.run(key.hash, keyNo, formerUntilMs);
    }
    replace.run(hash, prefix, keyNo);
  };
}

function prepareLimits(db: DatabaseSync) {
  const remove = prepare(db, 'DELETE FROM key_limit WHERE guild_no = ? AND key_no = ?');
  const change = prepare(
    db,
    'UPDATE key_limit SET amount_max = ?, withdrawn_per_day_max = ? WHERE guild_no = ? AND key_no = ?',
  );
  const insert = prepare(
    db,
    `INSERT INTO key_limit (amount_max, withdrawn_per_day_max, guild_no, key_no, day, withdrawn) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  // Whatever the key did today counts. total() sums as a float, which no sum overflows; it is exact as far as limits go.
  const sumWithdrawn = prepare<{ units: number }>(
    db,
    `SELECT total(-total) AS units FROM ledger_transaction INDEXED BY ledger_by_time
     WHERE guild_no = ? AND created_at >= ? AND key_no = ? AND total < 0`,
  );
  return (
    { guildNo, keyNo }: PresentRow,
    { limits, hadLimits }: { limits: LimitColumns | undefined; hadLimits: boolean },
    atMs: number,
  ): void => {
    if (limits === undefined) {
      remove.run(guildNo, keyNo);
      return;
    }
    const columns = [limits.amountMaxUnits, limits.withdrawnPerDayMaxUnits, guildNo, keyNo];
    if (hadLimits) {
      change.run(...columns);
      return;
    }
    const day = dayOf(atMs);
    const units = sumWithdrawn.get(guildNo, startOfDayMs(day), keyNo)?.units ?? 0;
    insert.run(...columns, day, Math.min(units, Number.MAX_SAFE_INTEGER));
  };
}
