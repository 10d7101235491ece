import type { DatabaseSync } from 'node:sqlite';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';

/** A table that exists only while a copy into the store is unfinished. */
export const COPY_MARK = 'copy_under_way';

/** Refuses an unfinished copy: posts would go into accounts whose earlier transactions are still missing. */
export function assertNoCopyUnderWay(db: DatabaseSync): void {
  if (db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(COPY_MARK) !== undefined) {
    throw new OperatorError(
      `the store is an unfinished copy: run the same "${commandLine('copy')}" again to finish it`,
    );
  }
}
