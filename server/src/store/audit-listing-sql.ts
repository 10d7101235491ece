import { ACTOR_KINDS, type AuditFilter } from '../domain/model.ts';

/** How a dialect writes what the two do not share. */
export interface AuditDialect {
  /** The text for the n-th bound value, counted from 1. */
  placeholder: (position: number) => string;
  /** Names the index that serves a statement, where the dialect can be told. */
  indexHint: (index: string) => string;
}

/** A place in a log's order: by time, then by number. */
export interface LogPlace {
  createdAtMs: number;
  entryNo: number;
}

/** Behind everything there is. */
export const LOG_END: LogPlace = {
  createdAtMs: Number.MAX_SAFE_INTEGER,
  entryNo: Number.MAX_SAFE_INTEGER,
};

const COLUMNS =
  'r.entry_no AS "entryNo", r.created_at AS "createdAtMs", actor_kind AS "actorKind", actor_id AS "actorId", ' +
  'action, subject_kind AS "subjectKind", subject_id AS "subjectId", detail';

/** Names one of the closed set of statements: at most sixteen are ever prepared. */
export function auditShape({ actor, subjectKind, subjectId, action }: AuditFilter): string {
  const parts = [
    actor && 'actor',
    subjectKind && 'kind',
    subjectId !== undefined && 'id',
    action && 'action',
  ];
  return parts.filter(Boolean).join(' ');
}

/**
 * Entries before a place, newest first. Values: those of `auditValues`, then limit and guild. The entries' numbers come
 * first, from the index alone, so that entries left out are never fetched.
 */
export function auditPageSql(dialect: AuditDialect, filter: AuditFilter): string {
  const at = dialect.placeholder;
  const conditions = ['guild_no ='];
  if (filter.actor !== undefined) conditions.push('actor_kind =', 'actor_id =');
  if (filter.subjectKind !== undefined) conditions.push('subject_kind =');
  if (filter.subjectId !== undefined) conditions.push('subject_id =');
  if (filter.action !== undefined) conditions.push('action =');
  conditions.push('created_at >=');
  const bound = conditions.map((condition, index) => `${condition} ${at(index + 1)}`);
  const next = (offset: number) => at(conditions.length + offset);
  return (
    `SELECT ${COLUMNS} FROM (SELECT created_at AS page_at, entry_no AS page_no FROM audit_entry ` +
    `${dialect.indexHint(auditIndex(filter))} WHERE ${bound.join(' AND ')} ` +
    `AND (created_at, entry_no) < (${next(1)}, ${next(2)}) ` +
    `ORDER BY created_at DESC, entry_no DESC LIMIT ${next(3)}) AS page ` +
    `CROSS JOIN audit_entry AS r WHERE r.guild_no = ${next(4)} AND r.entry_no = page_no ` +
    'ORDER BY page_at DESC, page_no DESC'
  );
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

/** The end of a range lies before every entry of that moment: numbers begin with 1. */
function earlierOf(place: LogPlace, untilMs = Number.MAX_SAFE_INTEGER): LogPlace {
  return place.createdAtMs < untilMs ? place : { createdAtMs: untilMs, entryNo: 0 };
}

/**
 * Everybody in a guild's log. It jumps from each to the next along the index, instead of reading the log. Values: guild,
 * guild, limit.
 */
export function auditActorsSql({ placeholder: at }: AuditDialect): string {
  const kinds = ACTOR_KINDS.map((kind) => `('${kind}')`).join(', ');
  const first = `SELECT min(actor_id) FROM audit_entry WHERE guild_no = ${at(1)} AND actor_kind = kinds.kind`;
  const next =
    `SELECT min(actor_id) FROM audit_entry WHERE guild_no = ${at(2)} AND actor_kind = actor.kind ` +
    'AND actor_id > actor.id';
  return (
    `WITH RECURSIVE kinds (kind) AS (VALUES ${kinds}), ` +
    `actor (kind, id) AS (SELECT kind, (${first}) FROM kinds UNION ALL ` +
    `SELECT kind, (${next}) FROM actor WHERE id IS NOT NULL) ` +
    `SELECT kind, id FROM actor WHERE id IS NOT NULL LIMIT ${at(3)}`
  );
}

function auditIndex({ actor, subjectKind, subjectId }: AuditFilter): string {
  if (subjectKind !== undefined && subjectId !== undefined) {
    return 'audit_by_subject';
  }
  if (actor !== undefined) {
    return 'audit_by_actor';
  }
  return subjectKind === undefined ? 'audit_by_time' : 'audit_by_kind';
}

/** Entries behind a number, in order. Values: guild, number, limit. */
export function auditAfterSql({ placeholder: at }: AuditDialect): string {
  return (
    `SELECT ${COLUMNS} FROM audit_entry AS r WHERE r.guild_no = ${at(1)} AND r.entry_no > ${at(2)} ` +
    `ORDER BY r.entry_no LIMIT ${at(3)}`
  );
}
