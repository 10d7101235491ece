import type { DatabaseSync } from 'node:sqlite';
import type { Change, SubjectKind } from '../../domain/model.ts';
import { difference } from '../audit/difference.ts';
import { prepare } from './connection.ts';

/** The guild number of the log that belongs to no guild. */
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
 * Writes the audit entry for a change of a record. Writes nothing and returns false when the record stays the same.
 * Call it in the transaction of the change.
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
