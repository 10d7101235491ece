import type { AuditEntry, Change, SubjectKind } from '../../domain/model.ts';
import { difference } from '../audit/difference.ts';
import { prepare, type Runner } from './statement.ts';

/** The part of the log that belongs to no guild. */
export const NO_GUILD = 0;

// Held until the commit: the next writer of this log waits here and sees what this one did.
const LOCK = prepare<{ lastEntryNo: number }>(
  'SELECT last_entry_no AS "lastEntryNo" FROM audit_counter WHERE guild_no = $1 FOR UPDATE',
);
const INSERT = prepare(
  `INSERT INTO audit_entry (guild_no, entry_no, created_at, actor_kind, actor_id, action, subject_kind, subject_id, detail)
   SELECT own.guild_no, $2::bigint + position, $3, $4, $5, action, $6, subject_id, detail
   FROM audit_counter AS own
   CROSS JOIN unnest($7::text[], $8::text[], $9::text[]) WITH ORDINALITY AS entry (action, subject_id, detail, position)
   WHERE own.guild_no = $1`,
);
const MOVE = prepare('UPDATE audit_counter SET last_entry_no = $2 WHERE guild_no = $1');

export interface AuditedPut {
  subjectId: string;
  before: object | undefined;
  after: object | undefined;
}

export interface AuditWriter {
  /** Notes what a change makes of a record: nothing when it stays the same. Returns whether anything changed. */
  add(put: AuditedPut): boolean;
  /** Writes what was noted, in one round trip however much it is; belongs into the commit of the changes. */
  write(): Promise<void>;
}

export interface AuditedChange {
  guildNo: number;
  change: Change;
  subjectKind: SubjectKind;
}

/** Locks a guild's log. Taken first by every audited write, so that writers of one guild follow one another. */
export async function openAudit(transaction: Runner, audited: AuditedChange): Promise<AuditWriter> {
  const { guildNo, change, subjectKind } = audited;
  const counter = await transaction.first(LOCK, [guildNo]);
  const noted: { action: AuditEntry['action']; subjectId: string; detail: string }[] = [];
  return {
    add({ subjectId, before, after }) {
      const detail = difference(before, after);
      if (detail === undefined) {
        return false;
      }
      const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
      noted.push({ action, subjectId, detail: JSON.stringify(detail) });
      return true;
    },
    async write() {
      if (noted.length === 0) {
        return;
      }
      if (counter === undefined) {
        throw new Error('a guild without a log cannot be written to');
      }
      const { actor, atMs } = change;
      await transaction.run(INSERT, [
        guildNo,
        counter.lastEntryNo,
        atMs,
        actor.kind,
        actor.id,
        subjectKind,
        noted.map(({ action }) => action),
        noted.map(({ subjectId }) => subjectId),
        noted.map(({ detail }) => detail),
      ]);
      counter.lastEntryNo += noted.length;
      noted.length = 0;
      await transaction.run(MOVE, [guildNo, counter.lastEntryNo]);
    },
  };
}
