import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import {
  type AppliedMigration,
  knownSteps,
  loadMigrations,
  type PendingStep,
  pendingSteps,
  readSqlFolder,
  type Schema,
  type SchemaState,
} from '../operations/migrate.ts';
import { LIST_STEPS, type RecordedStep } from '../operations/schema-steps.ts';
import { prepare } from './connection.ts';
import { OLDEST_RELEASE } from './released-steps.ts';

const HAS_SCHEMA = "SELECT count(*) AS count FROM sqlite_schema WHERE name = 'schema_migration'";
const APPLIED = 'SELECT version, name, checksum FROM schema_migration ORDER BY version';

/** The schema that this program makes. */
export function loadSchema(): Schema {
  const steps = loadMigrations(new URL('./migrations/', import.meta.url), OLDEST_RELEASE.steps.length);
  return {
    sql: readSqlFolder(new URL('./schema/', import.meta.url)),
    oldest: OLDEST_RELEASE,
    steps,
  };
}

/** The missing steps of a store. Refuses a file that is not a store, and a store that this program cannot upgrade. */
export function readPendingSteps(db: DatabaseSync, file: string): PendingStep[] {
  return pendingSteps(loadSchema(), readApplied(db, file));
}

/** The steps that were applied to a store. Refuses a file that is not a store. */
export function readApplied(db: DatabaseSync, file: string): AppliedMigration[] {
  if (prepare<{ count: number }>(db, HAS_SCHEMA).get()?.count !== 1) {
    throw new OperatorError(`${file} is not a Guildbook store`);
  }
  return prepare<AppliedMigration>(db, APPLIED).all();
}

const HAS_STEPS = "SELECT count(*) AS count FROM sqlite_schema WHERE name = 'schema_step'";

/** The steps of a store that still have to run in the background. A store of an older version has no table for them. */
export function readUnfinished(db: DatabaseSync): RecordedStep[] {
  const hasSteps = prepare<{ count: number }>(db, HAS_STEPS).get()?.count === 1;
  return hasSteps ? prepare<RecordedStep>(db, LIST_STEPS).all() : [];
}

/** The number of a table's rows. Its name is from a migration. */
export function countRows(db: DatabaseSync, table: string): number {
  return prepare<{ count: number }>(db, `SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0;
}

/** The schema version of a store of any version, also of one that this program does not understand. */
export function readSchemaState(db: DatabaseSync, file: string): SchemaState {
  const applied = readApplied(db, file);
  const known = knownSteps(loadSchema());
  const isUnderstood = known.every(({ checksum }, index) => applied[index]?.checksum === checksum);
  return {
    version: applied.at(-1)?.version ?? 0,
    knownVersion: known.length,
    oldestVersion: OLDEST_RELEASE.steps.length,
    isCurrent: isUnderstood && applied.length === known.length,
  };
}
