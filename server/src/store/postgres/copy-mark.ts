import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type Database, openClient } from './connection.ts';

/** A table that exists only while a copy into the store is unfinished. */
export const COPY_MARK = 'copy_under_way';
/** A table that exists only while the distribution of the store over several nodes is unfinished. */
export const SPREAD_MARK = 'distribution_under_way';

const UNFINISHED = {
  [COPY_MARK]: `the store is an unfinished copy: run the same "${commandLine('copy')}" again to finish it`,
  [SPREAD_MARK]: `the store is distributed in part: run "${commandLine('distribute')}" again to finish it`,
};

/** Refuses an unfinished copy: posts would go into accounts whose earlier transactions are still missing. */
export function assertNoCopyUnderWay(database: Database): Promise<void> {
  return assertNone(database, [COPY_MARK]);
}

/** Refuses an unfinished copy, and a store whose tables are distributed only in part. */
export function assertWhole(database: Database): Promise<void> {
  return assertNone(database, [COPY_MARK, SPREAD_MARK]);
}

async function assertNone(database: Database, marks: readonly (keyof typeof UNFINISHED)[]): Promise<void> {
  const client = await openClient(database);
  try {
    for (const mark of marks) {
      const { rows } = await client.query(`SELECT to_regclass('${mark}') IS NOT NULL AS "isThere"`);
      if (rows[0]?.isThere === true) {
        throw new OperatorError(UNFINISHED[mark]);
      }
    }
  } finally {
    await client.end();
  }
}
