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
import { EXPAND_STEP_NO } from '../operations/schema-steps.ts';
import { OLDEST_RELEASE } from './released-steps.ts';

/** The schema that is recorded in a store. */
export interface RecordedSchema {
  applied: AppliedMigration[];
  /** The checksum of its functions, or undefined in a store of version 0.2. */
  functions: string | undefined;
  /** False in a store of an older version, which has no table for the progress of steps. */
  hasProgress: boolean;
  /** True when steps still have to run in the background. */
  hasUnfinished: boolean;
}

/** The schema that this program makes. */
export interface PostgresSchema extends Schema {
  /** Makes all functions, or replaces them, and records their checksum. */
  functions: PendingStep;
  functionsChecksum: string;
}

/** The tables in which a store records its migrations, its functions, and the progress of steps (`schema-steps.ts`). */
export const CREATE_RECORDS = `CREATE TABLE IF NOT EXISTS schema_migration (
  version bigint NOT NULL PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  checksum text COLLATE "C" NOT NULL,
  applied_at bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS schema_function (
  checksum text COLLATE "C" NOT NULL PRIMARY KEY,
  applied_at bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS schema_step (
  version bigint NOT NULL,
  step_no bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  position text COLLATE "C",
  rows_done bigint NOT NULL,
  rows_total bigint NOT NULL,
  PRIMARY KEY (version, step_no)
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
  { applied, functions }: Pick<RecordedSchema, 'applied' | 'functions'>,
): PendingStep[] {
  const steps = pendingSteps(schema, applied);
  const hasFunctions = applied.length === 0 || functions === schema.functionsChecksum;
  return hasFunctions ? steps : [...steps, schema.functions];
}

const TABLES = ['schema_migration', 'schema_function', 'schema_step'] as const;
const HAS_UNFINISHED = `SELECT EXISTS (SELECT FROM schema_step WHERE step_no > ${EXPAND_STEP_NO}) AS "hasUnfinished"`;

/** Reads the recorded schema. A database that is not a store has no steps. */
export async function readRecorded(client: pg.Client): Promise<RecordedSchema> {
  const { rows: tables } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL',
    [TABLES],
  );
  const has = (table: (typeof TABLES)[number]) => tables.some(({ name }) => name === table);
  const hasProgress = has('schema_step');
  if (!has('schema_migration')) {
    return { applied: [], functions: undefined, hasProgress, hasUnfinished: false };
  }
  const { rows: applied } = await client.query<AppliedMigration>(
    'SELECT version, name, checksum FROM schema_migration ORDER BY version',
  );
  const { rows: functions } = has('schema_function')
    ? await client.query<{ checksum: string }>('SELECT checksum FROM schema_function')
    : { rows: [] };
  const { rows: steps } = hasProgress
    ? await client.query<{ hasUnfinished: boolean }>(HAS_UNFINISHED)
    : { rows: [] };
  return {
    applied,
    functions: functions[0]?.checksum,
    hasProgress,
    hasUnfinished: steps[0]?.hasUnfinished ?? false,
  };
}
