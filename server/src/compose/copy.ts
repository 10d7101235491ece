import { type CopyProgress, type CopySource, type CopyTarget, copyStore } from '../store/operations/copy.ts';
import { isPostgres, sqliteFile } from './stores.ts';

/** Copies everything from one store to another of either engine. Returns the number of rows. */
export async function copyBetween(from: string, to: string, progress: CopyProgress): Promise<number> {
  const source = await openSource(from);
  try {
    const target = await openTarget(to);
    try {
      return await copyStore(source, target, progress);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openSource(databaseUrl: string): Promise<CopySource> {
  if (!isPostgres({ databaseUrl })) {
    const { openSqliteSource } = await import('../store/sqlite/copy.ts');
    return openSqliteSource(sqliteFile({ databaseUrl }));
  }
  const { parseDatabaseUrl } = await import('../store/postgres/connection.ts');
  const { openPostgresSource } = await import('../store/postgres/copy.ts');
  return openPostgresSource(parseDatabaseUrl(databaseUrl));
}

async function openTarget(databaseUrl: string): Promise<CopyTarget> {
  if (!isPostgres({ databaseUrl })) {
    const { openSqliteTarget } = await import('../store/sqlite/copy.ts');
    return openSqliteTarget(sqliteFile({ databaseUrl }));
  }
  const { parseDatabaseUrl } = await import('../store/postgres/connection.ts');
  const { openPostgresTarget } = await import('../store/postgres/copy.ts');
  return openPostgresTarget(parseDatabaseUrl(databaseUrl));
}
