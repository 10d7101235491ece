import { FORMER_VALUES_MAX } from '../../domain/access/api-keys.ts';
import { type KeyRights, loosens } from '../../domain/access/loosening.ts';
import { allowsOf } from '../../domain/access/networks.ts';
import {
  parseRouteLimits,
  type RouteLimit,
  routeBucketsOf,
  routeLimitsText,
} from '../../domain/access/route-limits.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ApiKey, GuildRef, KeyChange, Scope, StoredKey } from '../../domain/model.ts';

/** Called once for each look-up, for the metrics. */
export type OnKeyLookup = (result: 'hit' | 'miss') => void;

/** The columns of a key that authentication reads. */
export interface StoredRow {
  keyNo: number;
  keyId: string;
  guildNo: number;
  guildId: string;
  scopes: string;
  expiresAtMs: number;
  networks: string | null;
  routeLimits: string | null;
  keepsAllUntilMs: number | null;
  isLimited: number | boolean;
}

const STORED_COLUMNS =
  'k.key_no AS "keyNo", k.key_id AS "keyId", g.guild_no AS "guildNo", g.guild_id AS "guildId", k.scopes, k.networks, ' +
  'k.route_limits AS "routeLimits", k.keeps_all_until AS "keepsAllUntilMs"';
/**
 * SQL that is true when a key has limits. Not for a distributed store, where limits are on the node of the guild,
 * which is unknown until the key is found.
 */
export const HAS_LIMIT =
  'EXISTS (SELECT 1 FROM key_limit l WHERE l.guild_no = k.guild_no AND l.key_no = k.key_no)';

/** Finds a key by its present value. The caller appends the placeholder of the hash. */
export function findByPresent(isLimited = HAS_LIMIT): string {
  return `SELECT ${STORED_COLUMNS}, ${isLimited} AS "isLimited", k.expires_at AS "expiresAtMs"
    FROM api_key k JOIN guild g USING (guild_no) WHERE k.hash = `;
}

/**
 * Finds a key by a value that a rotation replaced. It expires at its own time or with the key, whichever is first. The
 * caller appends the placeholder of the hash.
 */
export function findByFormer(isLimited = HAS_LIMIT): string {
  return `SELECT ${STORED_COLUMNS}, ${isLimited} AS "isLimited",
    CASE WHEN f.valid_until < k.expires_at THEN f.valid_until ELSE k.expires_at END AS "expiresAtMs"
    FROM former_key f JOIN api_key k USING (key_no) JOIN guild g USING (guild_no) WHERE f.hash = `;
}

export function toStoredKey(row: StoredRow): StoredKey {
  const { keyNo, keyId, guildNo, guildId, scopes, expiresAtMs, networks, isLimited, routeLimits } = row;
  return {
    keyNo,
    keyId,
    guild: { guildNo, guildId },
    scopes: toScopes(scopes),
    expiresAtMs,
    allows: allowsOf(toNetworks(networks)),
    isLimited: isLimited === true || isLimited === 1,
    routeBuckets: routeBucketsOf(keyId, toRouteLimits(routeLimits)),
    keepsAllUntilMs: row.keepsAllUntilMs ?? 0,
    uses: undefined,
  };
}

/** A key as it appears in lists. */
export interface ListedRow
  extends Omit<
    ApiKey,
    | 'guild'
    | 'scopes'
    | 'lastUsedAtMs'
    | 'note'
    | 'networks'
    | 'limits'
    | 'routeLimits'
    | 'formerUntilMs'
    | 'keepsAllUntilMs'
  > {
  scopes: string;
  lastUsedAtMs: number | null;
  note: string | null;
  networks: string | null;
  routeLimits: string | null;
  amountMaxUnits: number | null;
  withdrawnPerDayMaxUnits: number | null;
  formerUntilMs: number | null;
  keepsAllUntilMs: number | null;
}

/**
 * Lists the keys of one guild. Both tables are compared with the same parameter, so that distributed rows are found
 * on one node.
 */
export function listKeys(guildNo: string): string {
  return `SELECT k.key_id AS "keyId", k.name, k.prefix, k.scopes, k.created_by AS "createdBy",
  k.created_at AS "createdAtMs", k.expires_at AS "expiresAtMs", k.last_used_at AS "lastUsedAtMs", k.note, k.networks,
  k.route_limits AS "routeLimits", k.keeps_all_until AS "keepsAllUntilMs", l.amount_max AS "amountMaxUnits", l.withdrawn_per_day_max AS "withdrawnPerDayMaxUnits",
  (SELECT max(f.valid_until) FROM former_key f WHERE f.key_no = k.key_no) AS "formerUntilMs"
  FROM api_key k LEFT JOIN key_limit l ON l.guild_no = ${guildNo} AND l.key_no = k.key_no
  WHERE k.guild_no = ${guildNo} AND k.deleted_at IS NULL`;
}

/** Lists the names of the keys of one guild. */
export function listKeyNames(guildNo: string): string {
  return `SELECT k.key_id AS "keyId", k.name FROM api_key k WHERE k.guild_no = ${guildNo} AND k.deleted_at IS NULL`;
}

/** The order of a guild's keys: newest first. */
export const NEWEST_FIRST = 'ORDER BY k.created_at DESC, k.key_no DESC';

export function toListedKey(row: ListedRow, { guildNo, guildId }: GuildRef): ApiKey {
  const { amountMaxUnits, withdrawnPerDayMaxUnits, ...rest } = row;
  return {
    ...rest,
    guild: { guildNo, guildId },
    scopes: toScopes(row.scopes),
    lastUsedAtMs: row.lastUsedAtMs ?? undefined,
    note: row.note ?? undefined,
    networks: toNetworks(row.networks),
    limits: {
      amountMaxUnits: amountMaxUnits ?? undefined,
      withdrawnPerDayMaxUnits: withdrawnPerDayMaxUnits ?? undefined,
    },
    routeLimits: toRouteLimits(row.routeLimits),
    formerUntilMs: row.formerUntilMs ?? undefined,
    keepsAllUntilMs: row.keepsAllUntilMs ?? undefined,
  };
}

/** A key that is about to be deleted. */
export interface PresentKeyRow {
  guildNo: number;
  name: string;
  prefix: string;
  scopes: string;
  expiresAtMs: number;
}

/** The columns of `PresentKeyRow`. */
export const PRESENT_KEY_COLUMNS = 'guild_no AS "guildNo", name, prefix, scopes, expires_at AS "expiresAtMs"';

/** The fields of a deleted key for the audit log: the same as those of a new key. */
export function deletedKeyFacts({ name, prefix, scopes, expiresAtMs }: PresentKeyRow) {
  return { name, prefix, scopes: toScopes(scopes), expiresAtMs };
}

function toScopes(text: string): Scope[] {
  // Only scopes of the closed list are ever written.
  return text === '' ? [] : (text.split(' ') as Scope[]);
}

function toNetworks(text: string | null): string[] {
  return text === null ? [] : text.split(' ');
}

function toRouteLimits(text: string | null): RouteLimit[] {
  return text === null ? [] : parseRouteLimits(text);
}

/** A key before a change: its identity, and the fields that the audit log compares. */
export interface PresentRow {
  keyNo: number;
  guildNo: number;
  guildId: string;
  hash: string;
  prefix: string;
  name: string;
  scopes: string;
  note: string | null;
  networks: string | null;
  routeLimits: string | null;
  keepsAllUntilMs: number | null;
  expiresAtMs: number;
  amountMaxUnits: number | null;
  withdrawnPerDayMaxUnits: number | null;
}

/** Finds the key to change. The caller appends the placeholder of its id. `guildNo` is the guild whose limits are read. */
export function findPresent(guildNo = 'k.guild_no'): string {
  return `SELECT k.key_no AS "keyNo", k.guild_no AS "guildNo", g.guild_id AS "guildId", k.hash, k.prefix, k.name, k.scopes,
    k.note, k.networks, k.route_limits AS "routeLimits", k.keeps_all_until AS "keepsAllUntilMs", k.expires_at AS "expiresAtMs", l.amount_max AS "amountMaxUnits",
    l.withdrawn_per_day_max AS "withdrawnPerDayMaxUnits"
    FROM api_key k JOIN guild g USING (guild_no) LEFT JOIN key_limit l ON l.guild_no = ${guildNo} AND l.key_no = k.key_no
    WHERE k.deleted_at IS NULL AND k.key_id = `;
}

/** The key after a change. Called while the row is locked, so that the present key decides what the change may do. */
export function changedKey(present: PresentRow, change: KeyChange) {
  const { name, note, networks, limits, routeLimits } = change;
  const noteAfter = note === undefined ? present.note : note;
  const networksAfter = networks === undefined ? present.networks : networks.join(' ') || null;
  const routeLimitsAfter =
    routeLimits === undefined ? present.routeLimits : routeLimitsText(routeLimits) || null;
  const limitsAfter = {
    amountMaxUnits: given(limits?.amountMaxUnits, present.amountMaxUnits),
    withdrawnPerDayMaxUnits: given(limits?.withdrawnPerDayMaxUnits, present.withdrawnPerDayMaxUnits),
  };
  const after = { ...present, ...limitsAfter, networks: networksAfter, routeLimits: routeLimitsAfter };
  if (change.isTighteningOnly === true && loosens(rightsOf(present), rightsOf(after))) {
    throw new DomainError('not_guild_manager');
  }
  return {
    name: name ?? present.name,
    note: noteAfter,
    networks: networksAfter,
    routeLimits: routeLimitsAfter,
    keepsAllUntilMs: given(change.keepsAllUntilMs, present.keepsAllUntilMs),
    limits: limitsOf(limitsAfter),
    hadLimits: limitsOf(present) !== undefined,
  };
}

function rightsOf(row: PresentRow): KeyRights {
  return {
    scopes: toScopes(row.scopes),
    expiresAtMs: row.expiresAtMs,
    networks: toNetworks(row.networks),
    limits: {
      amountMaxUnits: row.amountMaxUnits ?? undefined,
      withdrawnPerDayMaxUnits: row.withdrawnPerDayMaxUnits ?? undefined,
    },
    routeLimits: toRouteLimits(row.routeLimits),
  };
}

export interface LimitColumns {
  amountMaxUnits: number | null;
  withdrawnPerDayMaxUnits: number | null;
}

const given = (next: number | null | undefined, before: number | null) =>
  next === undefined ? before : next;

function limitsOf({ amountMaxUnits, withdrawnPerDayMaxUnits }: LimitColumns): LimitColumns | undefined {
  return amountMaxUnits === null && withdrawnPerDayMaxUnits === null
    ? undefined
    : { amountMaxUnits, withdrawnPerDayMaxUnits };
}

/** A key as the audit log shows it. */
export function auditedKey(key: {
  name: string;
  note: string | null;
  networks: string | null;
  routeLimits: string | null;
  keepsAllUntilMs: number | null;
  limits?: LimitColumns | undefined;
  amountMaxUnits?: number | null;
  withdrawnPerDayMaxUnits?: number | null;
}): object {
  const limits = key.limits ?? key;
  return {
    name: key.name,
    note: key.note,
    networks: key.networks,
    routeLimits: key.routeLimits,
    keepsAllUntilMs: key.keepsAllUntilMs,
    amountMaxUnits: limits.amountMaxUnits ?? null,
    withdrawnPerDayMaxUnits: limits.withdrawnPerDayMaxUnits ?? null,
  };
}

/** Refuses to rotate an expired key, and to keep more than FORMER_VALUES_MAX earlier values valid. */
export function assertRotatable(
  { expiresAtMs }: Pick<PresentRow, 'expiresAtMs'>,
  { atMs, formerUntilMs, formerCount }: { atMs: number; formerUntilMs: number; formerCount: number },
): void {
  if (expiresAtMs <= atMs) {
    throw new DomainError('invalid_input', { detail: 'the key has expired, create a new one' });
  }
  if (formerUntilMs > atMs && formerCount >= FORMER_VALUES_MAX) {
    throw new DomainError('invalid_input', {
      detail: `${FORMER_VALUES_MAX} earlier values of this key are still valid, rotate it without overlap`,
    });
  }
}
