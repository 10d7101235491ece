import { checksumOf } from '../../src/store/operations/migrate.ts';
import { parseSteps } from '../../src/store/operations/migration-steps.ts';
import { loadSchema, type PostgresSchema } from '../../src/store/postgres/schema.ts';

/** The schema of this program with one more migration, which is named `later`. */
export function newerSchema(sql: string): PostgresSchema {
  const schema = loadSchema();
  const version = schema.oldest.steps.length + schema.steps.length + 1;
  const migration = {
    version,
    name: 'later',
    sql,
    checksum: checksumOf(sql),
    steps: parseSteps('later', sql),
  };
  return { ...schema, steps: [...schema.steps, migration] };
}
