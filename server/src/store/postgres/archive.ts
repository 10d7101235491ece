import { OperatorError } from '../../domain/errors.ts';
import type { ArchiveAccess } from '../operations/archive.ts';
import { assertServer, type Database, openPool } from './connection.ts';
import { assertWhole } from './copy-mark.ts';
import { readDistribution } from './distribution.ts';
import { migratePostgres } from './migrate.ts';
import { createWriter } from './transactions.ts';
import { onePool } from './write-pools.ts';

/** Opens a store to archive parts of it, while it may be served. */
export async function openPostgresArchive(place: Database): Promise<ArchiveAccess> {
  await assertServer(place);
  await migratePostgres(place, 'expect');
  await assertWhole(place);
  const database = await readDistribution(place);
  const pool = openPool(database);
  const writer = createWriter(onePool(pool), database);
  const run: ArchiveAccess['run'] = async (work) => {
    let refusal: OperatorError | undefined;
    try {
      return await writer.writeLong('archive', async (sql) => {
        try {
          return await work(sql);
        } catch (error) {
          refusal = error instanceof OperatorError ? error : undefined;
          throw error;
        }
      });
    } catch (error) {
      // The writer would hide the explanation: callers of other writes expect errors of the domain only.
      throw refusal ?? error;
    }
  };
  return {
    // In a transaction too, because settings of the planner last until its end.
    read: run,
    run,
    async close() {
      await writer.close();
      await pool.end();
    },
  };
}
