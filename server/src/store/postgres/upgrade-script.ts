import { knownSteps, type PendingStep } from '../operations/migrate.ts';
import { backgroundStepsOf } from '../operations/schema-steps.ts';
import { scriptOf, toOperations } from './ddl-operations.ts';
import { CREATE_RECORDS, loadSchema, NOW_MS, pendingChanges } from './schema.ts';

/**
 * The SQL that upgrades a store of schema version `from`, or makes a new one, as one script: to be read, or to be run with psql by
 * somebody with more rights than the service has. Indexes of an older store are built outside of transactions. The steps that run in
 * the background are only recorded: an instance runs them.
 */
export function printPostgresMigrations(from = 0): string {
  const schema = loadSchema();
  const applied = knownSteps(schema).slice(0, from);
  const pending = pendingChanges(schema, { applied, functions: undefined });
  return [`${CREATE_RECORDS};\n`, ...pending.map(scriptOfStep)].join('\n');
}

function scriptOfStep({ name, sql, records, steps }: PendingStep): string {
  const statements = steps?.flatMap((step) => (step.kind === 'expand' ? toOperations(step.sql) : []));
  const inserts = records.map(
    (step) =>
      `INSERT INTO schema_migration VALUES (${step.version}, '${step.name}', '${step.checksum}', ${NOW_MS});\n`,
  );
  if (statements === undefined || steps === undefined) {
    return `-- ${name}\nBEGIN;\n${sql.trimEnd()}\n${inserts.join('')}COMMIT;\n`;
  }
  const background = records.flatMap(({ version, name: own }) =>
    backgroundStepsOf({ version, name: own, steps }).map(
      (step) => `INSERT INTO schema_step VALUES (${version}, ${step.stepNo}, '${step.name}', NULL, 0, 0);\n`,
    ),
  );
  const lines = statements.flatMap(scriptOf).map((text) => `${text.replace(/;$/, '')};\n`);
  return `-- ${name}\n${lines.join('')}BEGIN;\n${inserts.join('')}${background.join('')}COMMIT;\n`;
}
