import { dayOf, startOfDayMs } from '../../domain/calendar.ts';
import type { Change, GuildRef, KeyChange, KeyRotation } from '../../domain/model.ts';
import { type AuditWriter, openAudit } from '../audit/audit-writer.ts';
import { LOCK_LEDGER } from '../ledger/ledger-lock.ts';
import { bumpKeyRevision } from '../revision.ts';
import { type Sql, statement } from '../sql.ts';
import {
  assertRotatable,
  auditedKey,
  changedKey,
  findPresent,
  type LimitColumns,
  type PresentRow,
} from './key-rows.ts';

const FIND_GUILD = statement<{ guildNo: number }>(
  'SELECT guild_no AS "guildNo" FROM api_key WHERE key_id = $1 AND deleted_at IS NULL',
);
const FIND = statement<PresentRow>(`${findPresent('$1')} $2`);
const COUNT_VALID = statement<{ count: number }>(
  'SELECT count(*) AS count FROM former_key WHERE key_no = $1 AND valid_until > $2',
);
const SHORTEN = statement('UPDATE former_key SET valid_until = $1 WHERE key_no = $2 AND valid_until > $1');
const FORGET_ENDED = statement('DELETE FROM former_key WHERE key_no = $1 AND valid_until <= $2');
const KEEP = statement('INSERT INTO former_key (hash, key_no, valid_until) VALUES ($1, $2, $3)');
const REPLACE = statement('UPDATE api_key SET hash = $1, prefix = $2 WHERE key_no = $3');
const UPDATE = statement(
  'UPDATE api_key SET name = $1, note = $2, networks = $3, route_limits = $4, keeps_all_until = $5 WHERE key_no = $6',
);
const REMOVE_LIMITS = statement('DELETE FROM key_limit WHERE guild_no = $1 AND key_no = $2');
const CHANGE_LIMITS = statement(
  'UPDATE key_limit SET amount_max = $1, withdrawn_per_day_max = $2 WHERE guild_no = $3 AND key_no = $4',
);
const INSERT_LIMITS = statement(
  `INSERT INTO key_limit (amount_max, withdrawn_per_day_max, guild_no, key_no, day, withdrawn)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
// Counts everything that the key withdrew today. A float does not overflow, and is exact up to the largest limit.
const SUM_WITHDRAWN = statement<{ units: number }>(
  ({ indexedBy, least }) =>
    `SELECT CAST(${least('coalesce(sum(CAST(-total AS double precision)), 0)', String(Number.MAX_SAFE_INTEGER))} AS bigint) AS units
     FROM ledger_transaction ${indexedBy('ledger_by_time')}
     WHERE guild_no = $1 AND created_at >= $2 AND key_no = $3 AND total < 0`,
);

/** The key that a write has changed. */
export interface ChangedKey {
  keyId: string;
  guild: GuildRef;
}

export interface KeyWrite {
  change: Change;
  guild: GuildRef | undefined;
}

/** Locks the log of the key's guild, then reads the key. Before the lock another write may still change the key. */
async function openKey(
  sql: Sql,
  { keyId, change, guild }: KeyWrite & { keyId: string },
): Promise<{ key: PresentRow; audit: AuditWriter } | undefined> {
  const found = await sql.first(FIND_GUILD, [keyId]);
  if (found === undefined || (guild !== undefined && guild.guildNo !== found.guildNo)) {
    return undefined;
  }
  const audit = await openAudit(sql, { guildNo: found.guildNo, change, subjectKind: 'key' });
  const key = await sql.first(FIND, [found.guildNo, keyId]);
  return key && { key, audit };
}

export async function rotateKey(
  sql: Sql,
  { rotation, change, guild }: KeyWrite & { rotation: KeyRotation },
): Promise<ChangedKey | undefined> {
  const { keyId, hash, prefix, formerUntilMs } = rotation;
  const opened = await openKey(sql, { keyId, change, guild });
  if (opened === undefined) {
    return undefined;
  }
  const { key, audit } = opened;
  const { keyNo, guildNo, guildId } = key;
  const { atMs } = change;
  const formerCount = (await sql.first(COUNT_VALID, [keyNo, atMs]))?.count ?? 0;
  assertRotatable(key, { atMs, formerUntilMs, formerCount });
  await sql.run(SHORTEN, [formerUntilMs, keyNo]);
  await sql.run(FORGET_ENDED, [keyNo, atMs]);
  if (formerUntilMs > atMs) {
    await sql.run(KEEP, [key.hash, keyNo, formerUntilMs]);
  }
  await sql.run(REPLACE, [hash, prefix, keyNo]);
  audit.add({ subjectId: keyId, before: { prefix: key.prefix }, after: { prefix, formerUntilMs } });
  await audit.write();
  await bumpKeyRevision(sql, guildNo);
  return { keyId, guild: { guildNo, guildId } };
}

export async function updateKey(
  sql: Sql,
  input: KeyWrite & { keyId: string; key: KeyChange },
): Promise<ChangedKey | undefined> {
  const { keyId, change } = input;
  const opened = await openKey(sql, input);
  if (opened === undefined) {
    return undefined;
  }
  const { key, audit } = opened;
  const { keyNo, guildNo, guildId } = key;
  const after = changedKey(key, input.key);
  const { name, note, networks, routeLimits, keepsAllUntilMs } = after;
  await sql.run(UPDATE, [name, note, networks, routeLimits, keepsAllUntilMs, keyNo]);
  await setLimits(sql, key, after, change.atMs);
  audit.add({ subjectId: keyId, before: auditedKey(key), after: auditedKey(after) });
  await audit.write();
  await bumpKeyRevision(sql, guildNo);
  return { keyId, guild: { guildNo, guildId } };
}

async function setLimits(
  sql: Sql,
  { guildNo, keyNo }: PresentRow,
  { limits, hadLimits }: { limits: LimitColumns | undefined; hadLimits: boolean },
  atMs: number,
): Promise<void> {
  if (limits === undefined && !hadLimits) {
    return;
  }
  // Every append holds this lock, so no transaction of the key is committed between the sum and the limit.
  await sql.first(LOCK_LEDGER, [guildNo]);
  if (limits === undefined) {
    await sql.run(REMOVE_LIMITS, [guildNo, keyNo]);
    return;
  }
  const columns = [limits.amountMaxUnits, limits.withdrawnPerDayMaxUnits, guildNo, keyNo];
  if (hadLimits) {
    await sql.run(CHANGE_LIMITS, columns);
    return;
  }
  const day = dayOf(atMs);
  const sum = await sql.first(SUM_WITHDRAWN, [guildNo, startOfDayMs(day), keyNo]);
  await sql.run(INSERT_LIMITS, [...columns, day, sum?.units ?? 0]);
}
