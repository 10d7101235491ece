import type { AuditEntry, Change, SubjectKind } from '../../domain/model.ts';
import { manyRows, type Scalar, type Sql, statement } from '../sql.ts';
import { difference } from './difference.ts';

/** The guild number of the log that belongs to no guild. */
export const NO_GUILD = 0;

/** The number of a guild's last entry. PostgreSQL locks it until the commit. */
export const LAST_ENTRY = statement<{ lastEntryNo: number }>(
  ({ forUpdate }) =>
    `SELECT last_entry_no AS "lastEntryNo" FROM audit_counter WHERE guild_no = $1 ${forUpdate}`,
);
/** Its values come from `sharedValues` and `rowOf`. */
export const INSERT_ENTRIES = manyRows({
  table: 'audit_entry',
  shared: ['guild_no', 'created_at', 'actor_kind', 'actor_id', 'subject_kind'],
  columns: { entry_no: 'bigint', action: 'text', subject_id: 'text', detail: 'text' },
});
const MOVE = statement('UPDATE audit_counter SET last_entry_no = $2 WHERE guild_no = $1');

export interface AuditedPut {
  subjectId: string;
  before: object | undefined;
  after: object | undefined;
}

export interface AuditWriter {
  /**
   * Adds an entry with the difference that a change makes to a record. Adds nothing and returns false when there is
   * none.
   */
  add(put: AuditedPut): boolean;
  /** Writes the added entries. Call it in the transaction of the changes. */
  write(): Promise<void>;
}

export interface AuditedChange {
  guildNo: number;
  change: Change;
  subjectKind: SubjectKind;
}

/**
 * Opens a guild's log and locks it until the commit. Every audited write does this first, so that writers of one
 * guild run one at a time, and each reads what the one before wrote.
 */
export async function openAudit(sql: Sql, audited: AuditedChange): Promise<AuditWriter> {
  const { guildNo } = audited;
  const counter = await sql.first(LAST_ENTRY, [guildNo]);
  const noted: NotedEntry[] = [];
  return {
    add(put) {
      const entry = entryOf(put);
      if (entry === undefined) {
        return false;
      }
      noted.push(entry);
      return true;
    },
    async write() {
      if (noted.length === 0) {
        return;
      }
      if (counter === undefined) {
        throw new Error('a guild without a log cannot be written to');
      }
      const rows = noted.map((entry, index) => rowOf(counter.lastEntryNo + index + 1, entry));
      await sql.runMany(INSERT_ENTRIES, sharedValues(audited), rows);
      counter.lastEntryNo += noted.length;
      noted.length = 0;
      await sql.run(MOVE, [guildNo, counter.lastEntryNo]);
    },
  };
}

interface NotedEntry {
  action: AuditEntry['action'];
  subjectId: string;
  detail: string;
}

/** The entry for a change, or undefined when it leaves the record the same. */
export function entryOf({ subjectId, before, after }: AuditedPut): NotedEntry | undefined {
  const detail = difference(before, after);
  if (detail === undefined) {
    return undefined;
  }
  const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
  return { action, subjectId, detail: JSON.stringify(detail) };
}

/** The values that all entries of a change share. */
export function sharedValues({ guildNo, change: { actor, atMs }, subjectKind }: AuditedChange): Scalar[] {
  return [guildNo, atMs, actor.kind, actor.id, subjectKind];
}

export function rowOf(entryNo: number, { action, subjectId, detail }: NotedEntry): Scalar[] {
  return [entryNo, action, subjectId, detail];
}
