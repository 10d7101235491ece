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
import { bumpRevision } from '../revision.ts';
import { type AuditWriter, openAudit } from './audit.ts';
import { LOCK_LEDGER } from './ledger-import.ts';
import { prepare, type Runner } from './statement.ts';

const FIND_GUILD = prepare<{ guildNo: number }>(
  'SELECT guild_no AS "guildNo" FROM api_key WHERE key_id = $1 AND deleted_at IS NULL',
);
const FIND = prepare<PresentRow>(`${findPresent('$1')} $2`);
const COUNT_VALID = prepare<{ count: number }>(
  'SELECT count(*) AS count FROM former_key WHERE key_no = $1 AND valid_until > $2',
);
const SHORTEN = prepare('UPDATE former_key SET valid_until = $1 WHERE key_no = $2 AND valid_until > $1');
const FORGET_ENDED = prepare('DELETE FROM former_key WHERE key_no = $1 AND valid_until <= $2');
const KEEP = prepare('INSERT INTO former_key (hash, key_no, valid_until) VALUES ($1, $2, $3)');
const REPLACE = prepare('UPDATE api_key SET hash = $1, prefix = $2 WHERE key_no = $3');
const UPDATE = prepare(
  'UPDATE api_key SET name = $1, note = $2, networks = $3, route_limits = $4 WHERE key_no = $5',
);
const REMOVE_LIMITS = prepare('DELETE FROM key_limit WHERE guild_no = $1 AND key_no = $2');
const CHANGE_LIMITS = prepare(
  'UPDATE key_limit SET amount_max = $1, withdrawn_per_day_max = $2 WHERE guild_no = $3 AND key_no = $4',
);
const INSERT_LIMITS = prepare(
  `INSERT INTO key_limit (amount_max, withdrawn_per_day_max, guild_no, key_no, day, withdrawn)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
// Whatever the key did today counts.
const SUM_WITHDRAWN = prepare<{ units: number }>(
  `SELECT least(coalesce(sum(-total), 0), ${Number.MAX_SAFE_INTEGER})::bigint AS units FROM ledger_transaction
   WHERE guild_no = $1 AND created_at >= $2 AND key_no = $3 AND total < 0`,
);

/** Which key a write has changed. */
export interface ChangedKey {
  keyId: string;
  guild: GuildRef;
}

interface KeyWrite {
  change: Change;
  guild: GuildRef | undefined;
}

/** Takes the log of the key's guild and reads the key to be changed: before, somebody else may still be changing it. */
async function openKey(
  transaction: Runner,
  { keyId, change, guild }: KeyWrite & { keyId: string },
): Promise<{ key: PresentRow; audit: AuditWriter } | undefined> {
  const found = await transaction.first(FIND_GUILD, [keyId]);
  if (found === undefined || (guild !== undefined && guild.guildNo !== found.guildNo)) {
    return undefined;
  }
  const audit = await openAudit(transaction, { guildNo: found.guildNo, change, subjectKind: 'key' });
  const key = await transaction.first(FIND, [found.guildNo, keyId]);
  return key && { key, audit };
}

export async function rotateKey(
  transaction: Runner,
  { rotation, change, guild }: KeyWrite & { rotation: KeyRotation },
): Promise<ChangedKey | undefined> {
  const { keyId, hash, prefix, formerUntilMs } = rotation;
  const opened = await openKey(transaction, { keyId, change, guild });
  if (opened === undefined) {
    return undefined;
  }
  const { key, audit } = opened;
  const { keyNo, guildNo, guildId } = key;
  const { atMs } = change;
  const formerCount = (await transaction.first(COUNT_VALID, [keyNo, atMs]))?.count ?? 0;
  assertRotatable(key, { atMs, formerUntilMs, formerCount });
  await transaction.run(SHORTEN, [formerUntilMs, keyNo]);
  await transaction.run(FORGET_ENDED, [keyNo, atMs]);
  if (formerUntilMs > atMs) {
    await transaction.run(KEEP, [key.hash, keyNo, formerUntilMs]);
  }
  await transaction.run(REPLACE, [hash, prefix, keyNo]);
  audit.add({ subjectId: keyId, before: { prefix: key.prefix }, after: { prefix, formerUntilMs } });
  await audit.write();
  await bumpRevision(transaction, 'keys');
  return { keyId, guild: { guildNo, guildId } };
}

export async function updateKey(
  transaction: Runner,
  input: KeyWrite & { keyId: string; key: KeyChange },
): Promise<ChangedKey | undefined> {
  const { keyId, change } = input;
  const opened = await openKey(transaction, input);
  if (opened === undefined) {
    return undefined;
  }
  const { key, audit } = opened;
  const { keyNo, guildNo, guildId } = key;
  const after = changedKey(key, input.key);
  await transaction.run(UPDATE, [after.name, after.note, after.networks, after.routeLimits, keyNo]);
  await setLimits(transaction, key, after, change.atMs);
  audit.add({ subjectId: keyId, before: auditedKey(key), after: auditedKey(after) });
  await audit.write();
  await bumpRevision(transaction, 'keys');
  return { keyId, guild: { guildNo, guildId } };
}

async function setLimits(
  transaction: Runner,
  { guildNo, keyNo }: PresentRow,
  { limits, hadLimits }: { limits: LimitColumns | undefined; hadLimits: boolean },
  atMs: number,
): Promise<void> {
  if (limits === undefined && !hadLimits) {
    return;
  }
  // Everybody who appends holds this, so that no transaction of the key slips between the sum and the limit.
  await transaction.first(LOCK_LEDGER, [guildNo]);
  if (limits === undefined) {
    await transaction.run(REMOVE_LIMITS, [guildNo, keyNo]);
    return;
  }
  const columns = [limits.amountMaxUnits, limits.withdrawnPerDayMaxUnits, guildNo, keyNo];
  if (hadLimits) {
    await transaction.run(CHANGE_LIMITS, columns);
    return;
  }
  const day = dayOf(atMs);
  const sum = await transaction.first(SUM_WITHDRAWN, [guildNo, startOfDayMs(day), keyNo]);
  await transaction.run(INSERT_LIMITS, [...columns, day, sum?.units ?? 0]);
}
