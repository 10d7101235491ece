import { existsSync } from 'node:fs';
import path from 'node:path';
import { commandLine } from '../command-name.ts';
import { withoutPassword } from '../config/values.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Clock, Store } from '../domain/ports.ts';
import type { SchemaRule } from '../store/operations/migrate.ts';
import type { ConnectionEvents } from '../store/postgres/connection.ts';
import type { PostgresStoreOptions } from '../store/postgres/open.ts';
import {
  assertMigrated,
  assertThere,
  backUpSqliteFile,
  type CopyOptions,
  type CopyOutcome,
  isInUse,
  restoreSqliteFile,
  verifySqliteFile,
} from '../store/sqlite/backup.ts';
import { recordBackup } from '../store/sqlite/backup-mark.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../store/sqlite/open.ts';

/** Operations on a whole store. The address selects the engine. */

export type Place = Pick<Config, 'databaseUrl'>;

export type OnProgress = (state: { done: number; total: number }) => void;

/** The store's time limits for changes by other instances use real time, even when tests control the domain's clock. */
const realTime: Pick<Clock, 'monotonicMs'> = { monotonicMs: () => performance.now() };

/** True when the store is a server that many processes may use at once. */
export function isPostgres({ databaseUrl }: Place): boolean {
  return /^postgres(?:ql)?:/.test(databaseUrl);
}

export function sqliteFile({ databaseUrl }: Place): string {
  return databaseUrl.slice('sqlite:'.length);
}

/** The store's address for display: the full path of a file, and no password. */
export function describeStore(place: Place): string {
  return isPostgres(place) ? withoutPassword(place.databaseUrl) : `sqlite:${path.resolve(sqliteFile(place))}`;
}

/** True when the file exists. For a database server it is true, because that is known only after connecting. */
export function storeExists(place: Place): boolean {
  return isPostgres(place) || existsSync(sqliteFile(place));
}

/** True when another process has the SQLite store open. False for a server, which is made for several processes. */
export function isStoreInUse(place: Place): boolean {
  return !isPostgres(place) && isInUse(sqliteFile(place));
}

/** Opens the store. Depending on `schema`, it is upgraded, created when it is missing, or must be up to date. */
export async function openStore(
  place: Place & Partial<Pick<Config, 'readDatabaseUrl'>>,
  options: Omit<SqliteStoreOptions, 'file'> &
    ConnectionEvents & {
      schema: SchemaRule;
      onWorker?: NonNullable<PostgresStoreOptions['onWorker']>;
    },
): Promise<Store> {
  if (!isPostgres(place)) {
    return openSqliteStore({ ...options, file: sqliteFile(place) });
  }
  const { openPostgresStore } = await import('../store/postgres/open.ts');
  // The server takes care of its files, so there are no fatal errors here.
  const { onFatal: _, upgrade, ...rest } = options;
  return openPostgresStore({
    ...rest,
    onUpgrade: upgrade?.onEvent,
    url: place.databaseUrl,
    readUrl: place.readDatabaseUrl,
    clock: realTime,
  });
}

/**
 * Copies the store, of any version, into a file while it may be serving. A backup still succeeds when its time cannot
 * be recorded beside the store.
 */
export async function backUpStore(
  place: Place,
  target: string,
  {
    onUnrecorded,
    ...options
  }: Pick<CopyOptions, 'mayOverwrite' | 'onProgress' | 'stop'> & { onUnrecorded: (error: unknown) => void },
): Promise<CopyOutcome> {
  assertEmbedded(place, 'pg_dump --format=custom --file=guildbook.dump "$DATABASE_URL"');
  const source = sqliteFile(place);
  assertThere(source);
  // Posts after this moment are not in the backup.
  const startedAtMs = Date.now();
  const outcome = await backUpSqliteFile({ ...options, source, target });
  if (outcome.findings.length === 0) {
    try {
      recordBackup(source, startedAtMs);
    } catch (error) {
      onUnrecorded(error);
    }
  }
  return outcome;
}

/** Replaces the store by a backup. */
export function restoreStore(
  place: Place,
  source: string,
  mayOverwrite: boolean,
  onProgress: OnProgress,
): CopyOutcome {
  assertEmbedded(place, 'pg_restore --dbname="$DATABASE_URL" guildbook.dump');
  return restoreSqliteFile({ source, target: sqliteFile(place), mayOverwrite, onProgress });
}

function assertEmbedded(place: Place, instead: string): void {
  if (isPostgres(place)) {
    throw new OperatorError(
      `this is for the embedded store; PostgreSQL brings its own tools, as in\n  ${instead}`,
    );
  }
}

/** Violated invariants of the store, as sentences. */
export async function verifyStore(place: Place, onProgress: OnProgress): Promise<string[]> {
  if (!isPostgres(place)) {
    assertMigrated(sqliteFile(place));
    return verifySqliteFile(sqliteFile(place), onProgress);
  }
  const { assertServer, parseDatabaseUrl } = await import('../store/postgres/connection.ts');
  const { verifyPostgres } = await import('../store/postgres/verify.ts');
  const database = parseDatabaseUrl(place.databaseUrl);
  await assertServer(database);
  return verifyPostgres(database, onProgress);
}

/**
 * Distributes the store's tables by guild over the machines of a cluster, and reports each table before it is moved.
 */
export async function distributeStore(
  place: Place,
  onProgress: (state: { table: string; done: number; total: number }) => void,
): Promise<void> {
  if (!isPostgres(place)) {
    throw new OperatorError(
      `the embedded store is one file on one machine: "${commandLine('copy')}" moves it to PostgreSQL first`,
    );
  }
  const { parseDatabaseUrl } = await import('../store/postgres/connection.ts');
  const { distributePostgres } = await import('../store/postgres/distribute.ts');
  await distributePostgres(parseDatabaseUrl(place.databaseUrl), onProgress);
}
