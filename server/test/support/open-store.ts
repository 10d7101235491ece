import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Store } from '../../src/domain/ports.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/store/sqlite/open.ts';
import { writeEmptyStore } from './empty-store.ts';
import { createMemoryFolder } from './memory-folder.ts';

/** A real store on a file of the test's own; both are gone when the test is over. */
export async function openTestStore(
  options: Pick<SqliteStoreOptions, 'onUnwritable'> = {},
): Promise<{ store: Store; file: string }> {
  const file = path.join(createMemoryFolder(), 'guildbook.db');
  writeEmptyStore(file);
  const store = await openSqliteStore({
    ...options,
    file,
    onFatal(error) {
      throw error;
    },
  });
  onTestFinished(() => store.close());
  return { store, file };
}
