import { onTestFinished } from 'vitest';
import type { Store } from '../../src/domain/ports.ts';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/open.ts';
import { createDatabase, type TestDatabase } from './database.ts';

export const REAL_TIME = { monotonicMs: () => performance.now() };

/** A store on a database of the test's own; both are gone when the test is over. */
export async function openOwnStore(): Promise<{ store: Store; database: TestDatabase }> {
  const database = await createDatabase();
  onTestFinished(database.remove);
  return { store: await openStoreAt(database.url), database };
}

/** One more store, closed when the test is over. */
export async function openStoreAt(url: string, options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const store = await openPostgresStore({ url, clock: REAL_TIME, ...options });
  onTestFinished(() => store.close());
  return store;
}
