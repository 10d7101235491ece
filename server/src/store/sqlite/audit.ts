import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry, Change, SubjectKind } from '../../domain/model.ts';
import { prepare } from './connection.ts';

/** The part of the log that belongs to no guild. */
export const NO_GUILD = 0;

export interface AuditedPut {
  guildNo: number;
  change: Change;
  subjectKind: SubjectKind;
  subjectId: string;
  before: object | undefined;
  after: object | undefined;
}

/**
 * Writes into the log what a change makes of a record: nothing when it stays the same. Belongs into the commit of the
 * change itself. Returns whether anything changed.
 */
export function createAuditWriter(db: DatabaseSync): (put: AuditedPut) => boolean {
  const findLast = prepare<{ entryNo: number | null }>(
    db,
    'SELECT max(entry_no) AS entryNo FROM audit_entry WHERE guild_no = ?',
  );
  const insert = prepare(
    db,
    `INSERT INTO audit_entry (guild_no, entry_no, created_at, actor_kind, actor_id, action, subject_kind, subject_id,
       detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ guildNo, change, subjectKind, subjectId, before, after }) => {
    const detail = difference(before, after);
    if (detail === undefined) {
      return false;
    }
    const { actor, atMs } = change;
    const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
    const entryNo = (findLast.get(guildNo)?.entryNo ?? 0) + 1;
    const text = JSON.stringify(detail);
    insert.run(guildNo, entryNo, atMs, actor.kind, actor.id, action, subjectKind, subjectId, text);
    return true;
  };
}

/** The fields in which two versions of a record differ; undefined when there is none. */
export function difference(before: object = {}, after: object = {}): AuditEntry['detail'] | undefined {
  const old: Record<string, unknown> = { ...before };
  const present: Record<string, unknown> = { ...after };
  for (const name of Object.keys(old)) {
    if (name in present && JSON.stringify(old[name]) === JSON.stringify(present[name])) {
      delete old[name];
      delete present[name];
    }
  }
  const hasOld = Object.keys(old).length > 0;
  const hasPresent = Object.keys(present).length > 0;
  if (!hasOld && !hasPresent) {
    return undefined;
  }
  return { ...(hasOld && { before: old }), ...(hasPresent && { after: present }) };
}
