import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import { type AppliedMigration, loadMigrations, type Migration, type SchemaState } from '../migrate.ts';
import { prepare } from './connection.ts';

const HAS_SCHEMA = "SELECT count(*) AS count FROM sqlite_schema WHERE name = 'schema_migration'";
const APPLIED = 'SELECT version, name, checksum FROM schema_migration ORDER BY version';

/** The steps that this program knows. */
export function knownMigrations(): Migration[] {
  return loadMigrations(new URL('./migrations/', import.meta.url));
}

/** The steps that were applied to a store. Refuses a file that is not a store. */
export function readApplied(db: DatabaseSync, file: string): AppliedMigration[] {
  if (prepare<{ count: number }>(db, HAS_SCHEMA).get()?.count !== 1) {
    throw new OperatorError(`${file} is not a Guildbook store`);
  }
  return prepare<AppliedMigration>(db, APPLIED).all();
}

/** The schema version of a store of any version, also of one that this program does not understand. */
export function readSchemaState(db: DatabaseSync, file: string): SchemaState {
  const applied = readApplied(db, file);
  const known = knownMigrations();
  const isUnderstood = known.every(({ checksum }, index) => applied[index]?.checksum === checksum);
  return {
    version: applied.at(-1)?.version ?? 0,
    knownVersion: known.length,
    isCurrent: isUnderstood && applied.length === known.length,
  };
}
