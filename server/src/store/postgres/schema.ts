import type pg from 'pg';
import {
  type AppliedMigration,
  checksumOf,
  loadMigrations,
  type PendingStep,
  pendingSteps,
  readSqlFolder,
  type Schema,
} from '../operations/migrate.ts';
import { OLDEST_RELEASE } from './released-steps.ts';

/** The schema that is recorded in a store. */
export interface RecordedSchema {
  applied: AppliedMigration[];
  /** The checksum of its functions, or undefined in a store of version 0.2. */
  functions: string | undefined;
}

/** The schema that this program makes. */
export interface PostgresSchema extends Schema {
  /** Makes all functions, or replaces them, and records their checksum. */
  functions: PendingStep;
  functionsChecksum: string;
}

/** The tables in which a store records the steps that it has, and its functions. */
export const CREATE_RECORDS = `CREATE TABLE IF NOT EXISTS schema_migration (
  version bigint NOT NULL PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  checksum text COLLATE "C" NOT NULL,
  applied_at bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS schema_function (
  checksum text COLLATE "C" NOT NULL PRIMARY KEY,
  applied_at bigint NOT NULL
)`;
export const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export function loadSchema(): PostgresSchema {
  const { sql, checksum } = loadFunctions();
  return {
    // The functions come first: triggers of the schema call them.
    sql: `${sql}\n${readSqlFolder(new URL('./schema/', import.meta.url))}`,
    oldest: OLDEST_RELEASE,
    steps: loadMigrations(new URL('./migrations/', import.meta.url), OLDEST_RELEASE.steps.length),
    functions: { name: 'the functions', sql, records: [] },
    functionsChecksum: checksum,
  };
}

function loadFunctions(): { sql: string; checksum: string } {
  const sql = readSqlFolder(new URL('./functions/', import.meta.url));
  const checksum = checksumOf(sql);
  const record = `DELETE FROM schema_function;\nINSERT INTO schema_function VALUES ('${checksum}', ${NOW_MS});\n`;
  return { sql: `${sql}\n${record}`, checksum };
}

/** The missing steps of a store. The last one replaces its functions when their checksum differs from this program's. */
export function pendingChanges(
  schema: PostgresSchema,
  { applied, functions }: RecordedSchema,
): PendingStep[] {
  const steps = pendingSteps(schema, applied);
  const hasFunctions = applied.length === 0 || functions === schema.functionsChecksum;
  return hasFunctions ? steps : [...steps, schema.functions];
}

/** Reads the recorded schema. A database that is not a store has no steps. */
export async function readRecorded(client: pg.Client): Promise<RecordedSchema> {
  const { rows } = await client.query<{ hasSteps: boolean; hasFunctions: boolean }>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS "hasSteps",
       to_regclass('schema_function') IS NOT NULL AS "hasFunctions"`,
  );
  const [{ hasSteps, hasFunctions } = { hasSteps: false, hasFunctions: false }] = rows;
  if (!hasSteps) {
    return { applied: [], functions: undefined };
  }
  const { rows: applied } = await client.query<AppliedMigration>(
    'SELECT version, name, checksum FROM schema_migration ORDER BY version',
  );
  const { rows: functions } = hasFunctions
    ? await client.query<{ checksum: string }>('SELECT checksum FROM schema_function')
    : { rows: [] };
  return { applied, functions: functions[0]?.checksum };
}
