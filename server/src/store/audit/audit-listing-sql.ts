import { ACTOR_KINDS, type AuditFilter, type SubjectKind } from '../../domain/model.ts';
import type { Dialect } from '../dialect.ts';

/** A place in a log's order: by time, then by number. */
export interface LogPlace {
  createdAtMs: number;
  entryNo: number;
}

/** The place after all entries. */
export const LOG_END: LogPlace = {
  createdAtMs: Number.MAX_SAFE_INTEGER,
  entryNo: Number.MAX_SAFE_INTEGER,
};

const COLUMNS =
  'r.entry_no AS "entryNo", r.created_at AS "createdAtMs", actor_kind AS "actorKind", actor_id AS "actorId", ' +
  'action, subject_kind AS "subjectKind", subject_id AS "subjectId", detail';

/** The key of a prepared statement. There is one for each combination of filters and each list of kinds that a role sees. */
export function auditShape({ actor, subjectKind, subjectKinds, subjectId, action }: AuditFilter): string {
  const parts = [
    actor && 'actor',
    subjectKind && 'kind',
    kindsShape(subjectKinds),
    subjectId !== undefined && 'id',
    action && 'action',
  ];
  return parts.filter(Boolean).join(' ');
}

/** The part of that key for a list of kinds. Roles have few different lists. */
export function kindsShape(kinds: readonly SubjectKind[] | undefined): string {
  return kinds?.join(',') ?? '';
}

/**
 * Entries before a place, newest first. Values: those of `auditValues`, then the limit. Finds the numbers of the
 * entries first, from the index alone, so that skipped entries are never fetched.
 */
export function auditPageSql(dialect: Dialect, filter: AuditFilter): string {
  const { actor, subjectKind, subjectKinds } = filter;
  // Without an actor each kind has its own part of an index, so that any number of hidden entries between shown ones
  // costs nothing.
  const isByKind = subjectKinds !== undefined && subjectKind === undefined && actor === undefined;
  const page = isByKind
    ? newestOf(
        subjectKinds.map((kind) => `SELECT * FROM (${numbersSql(dialect, filter, [kind])}) AS of_kind`),
      )
    : numbersSql(dialect, filter, subjectKinds);
  const limit = `$${conditionsOf(filter).length + 3}`;
  return (
    `SELECT ${COLUMNS} FROM (${page}${isByKind ? ` LIMIT ${limit}` : ''}) AS page ` +
    `CROSS JOIN audit_entry AS r WHERE r.guild_no = $1 AND r.entry_no = page_no ` +
    'ORDER BY page_at DESC, page_no DESC'
  );
}

function newestOf(parts: readonly string[]): string {
  return `SELECT page_at, page_no FROM (${parts.join(' UNION ALL ')}) AS parts ORDER BY page_at DESC, page_no DESC`;
}

/** Times and numbers of the matching entries, limited to `kinds` if they are given. */
function numbersSql(
  dialect: Dialect,
  filter: AuditFilter,
  kinds: readonly SubjectKind[] | undefined,
): string {
  const conditions = conditionsOf(filter);
  const bound = conditions.map((condition, index) => `${condition} $${index + 1}`);
  const ofKinds = kinds === undefined ? [] : [kindsCondition(kinds)];
  const next = (offset: number) => `$${conditions.length + offset}`;
  return (
    'SELECT created_at AS page_at, entry_no AS page_no FROM audit_entry ' +
    `${dialect.indexedBy(auditIndex(filter, kinds))} WHERE ${[...bound, ...ofKinds].join(' AND ')} ` +
    `AND (created_at, entry_no) < (${next(1)}, ${next(2)}) ` +
    `ORDER BY created_at DESC, entry_no DESC LIMIT ${next(3)}`
  );
}

/** The conditions with one bound value each, in the order of `auditValues`. */
function conditionsOf({ actor, subjectKind, subjectId, action }: AuditFilter): string[] {
  const conditions = ['guild_no ='];
  if (actor !== undefined) conditions.push('actor_kind =', 'actor_id =');
  if (subjectKind !== undefined) conditions.push('subject_kind =');
  if (subjectId !== undefined) conditions.push('subject_id =');
  if (action !== undefined) conditions.push('action =');
  return [...conditions, 'created_at >='];
}

/** Kinds are a closed list of our own, so they are part of the text. */
function kindsCondition(kinds: readonly SubjectKind[]): string {
  const [only] = kinds;
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  return kinds.length === 1 ? `subject_kind = '${only}'` : `subject_kind IN (${list})`;
}

export function auditValues(guildNo: number, filter: AuditFilter, before: LogPlace): (number | string)[] {
  const { actor, subjectKind, subjectId, action, range } = filter;
  const values: (number | string)[] = [guildNo];
  if (actor !== undefined) values.push(actor.kind, actor.id);
  if (subjectKind !== undefined) values.push(subjectKind);
  if (subjectId !== undefined) values.push(subjectId);
  if (action !== undefined) values.push(action);
  const { createdAtMs, entryNo } = earlierOf(before, range?.untilMs);
  values.push(range?.sinceMs ?? Number.MIN_SAFE_INTEGER, createdAtMs, entryNo);
  return values;
}

/** The earlier of a place and the end of a range. The end is exclusive: entry number 0 is before every entry of that time. */
function earlierOf(place: LogPlace, untilMs = Number.MAX_SAFE_INTEGER): LogPlace {
  return place.createdAtMs < untilMs ? place : { createdAtMs: untilMs, entryNo: 0 };
}

/**
 * All actors in a guild's log. Jumps from each to the next along the index, instead of reading the log. With kinds,
 * keeps the actors who have an entry of those kinds. Values: guild, limit.
 */
export function auditActorsSql(subjectKinds: readonly SubjectKind[] | undefined): string {
  const kinds = ACTOR_KINDS.map((kind) => `('${kind}')`).join(', ');
  const first = `SELECT min(actor_id) FROM audit_entry WHERE guild_no = $1 AND actor_kind = kinds.kind`;
  const next =
    `SELECT min(actor_id) FROM audit_entry WHERE guild_no = $1 AND actor_kind = actor.kind ` +
    'AND actor_id > actor.id';
  const isShown =
    subjectKinds === undefined
      ? ''
      : `AND EXISTS (SELECT 1 FROM audit_entry AS own WHERE own.guild_no = $1 AND own.actor_kind = actor.kind ` +
        `AND own.actor_id = actor.id AND own.${kindsCondition(subjectKinds)})`;
  return (
    `WITH RECURSIVE kinds (kind) AS (VALUES ${kinds}), ` +
    `actor (kind, id) AS (SELECT kind, (${first}) FROM kinds UNION ALL ` +
    `SELECT kind, (${next}) FROM actor WHERE id IS NOT NULL) ` +
    `SELECT kind, id FROM actor WHERE id IS NOT NULL ${isShown} LIMIT $2`
  );
}

function auditIndex(
  { actor, subjectKind, subjectId }: AuditFilter,
  kinds: readonly SubjectKind[] | undefined,
): string {
  if (subjectKind !== undefined && subjectId !== undefined) {
    return 'audit_by_subject';
  }
  if (actor !== undefined) {
    return 'audit_by_actor';
  }
  return subjectKind === undefined && kinds?.length !== 1 ? 'audit_by_time' : 'audit_by_kind';
}

/** Entries after a number, in order. Values: guild, number, limit. */
export const AUDIT_AFTER = `SELECT ${COLUMNS} FROM audit_entry AS r WHERE r.guild_no = $1 AND r.entry_no > $2 ORDER BY r.entry_no LIMIT $3`;
