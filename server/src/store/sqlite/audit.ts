import type { DatabaseSync } from 'node:sqlite';
import {
  type AuditedChange,
  type AuditedPut,
  entryOf,
  INSERT_ENTRIES,
  LAST_ENTRY,
  rowOf,
  sharedValues,
} from '../audit/audit-writer.ts';
import { createSql } from './sql.ts';

/**
 * Writes the audit entry for a change at once, for writes of the ledger: these are decided synchronously between others
 * of the same commit. All other features use `openAudit`. The counter is a view of the entries here, so it need not be moved.
 */
export function createAuditWriter(db: DatabaseSync): (audited: AuditedChange, put: AuditedPut) => void {
  const sql = createSql(db);
  return (audited, put) => {
    const entry = entryOf(put);
    if (entry !== undefined) {
      const last = sql.first(LAST_ENTRY, [audited.guildNo])?.lastEntryNo ?? 0;
      sql.runMany(INSERT_ENTRIES, sharedValues(audited), [rowOf(last + 1, entry)]);
    }
  };
}
