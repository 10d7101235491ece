import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { knownSteps, pendingSteps } from '../operations/migrate.ts';
import type { MigrationStep } from '../operations/migration-steps.ts';
import { firstLine, type PlannedWork, planOfNewStore, type UpgradePlan } from '../operations/plan.ts';
import { backgroundSteps } from '../operations/schema-steps.ts';
import { openDatabase } from './connection.ts';
import { countRows, loadSchema, readApplied, readUnfinished } from './schema.ts';

/** Rough rates: rows of an index build and of a backfill with its pauses, and bytes of a copy with its check. */
const INDEXED_PER_SECOND = 500_000;
const FILLED_PER_SECOND = 100_000;
const COPIED_BYTES_PER_SECOND = 100_000_000;

const WRITE_LOCK = 'write lock: nobody posts';
const INDEX_OF = /CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/g;

/** The steps that an upgrade would run. Only reads. */
export function planSqliteUpgrade(file: string): UpgradePlan {
  const schema = loadSchema();
  const to = knownSteps(schema).length;
  if (!existsSync(file)) {
    return planOfNewStore(to);
  }
  const db = openDatabase(file, { readOnly: true });
  try {
    const applied = readApplied(db, file);
    const pending = pendingSteps(schema, applied);
    const works = [
      ...pending.flatMap(({ name, steps = [] }) =>
        steps.map((step) => planStep(db, { migration: name, step, rowsDone: 0 })),
      ),
      ...readUnfinished(db).flatMap(({ version, stepNo, rowsDone }) =>
        backgroundSteps(schema.steps)
          .filter((one) => one.version === version && one.stepNo === stepNo)
          .map(({ name, step }) => planStep(db, { migration: name, step, rowsDone })),
      ),
    ];
    return { from: applied.length, to, works, notes: pending.length === 0 ? [] : [noteOfCopy(file)] };
  } finally {
    db.close();
  }
}

function noteOfCopy(file: string): string {
  const bytes = statSync(file).size;
  const seconds = Math.ceil(bytes / COPIED_BYTES_PER_SECOND);
  return `First the store is copied (${Math.ceil(bytes / 1e6)} MB, about ${seconds} s), unless --no-copy is given. Nobody posts meanwhile.`;
}

function planStep(
  db: DatabaseSync,
  { migration, step, rowsDone }: { migration: string; step: MigrationStep; rowsDone: number },
): PlannedWork {
  const { kind, sql } = step;
  if (step.kind === 'backfill') {
    const rows = Math.max(0, countRows(db, step.table) - rowsDone);
    const lock = 'write lock in batches of about 20 ms';
    return { migration, kind, work: firstLine(sql), lock, rows, seconds: rows / FILLED_PER_SECOND };
  }
  const tables = [...sql.matchAll(INDEX_OF)].flatMap(([, table]) => table ?? []);
  const rows = tables
    .filter((table) => !sql.includes(`CREATE TABLE ${table}`))
    .reduce((sum, table) => sum + countRows(db, table), 0);
  return {
    migration,
    kind,
    work: firstLine(sql),
    lock: WRITE_LOCK,
    rows,
    seconds: rows / INDEXED_PER_SECOND,
  };
}
