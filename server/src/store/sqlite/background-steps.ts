import type { DatabaseSync } from 'node:sqlite';
import type { Migration, UpgradeOptions } from '../operations/migrate.ts';
import {
  type BackgroundStep,
  type BatchInput,
  type BatchResult,
  backgroundSteps,
  listSteps,
  type RecordedStep,
  runBackfillBatch,
} from '../operations/schema-steps.ts';
import {
  type BackgroundRun,
  type Pace,
  runSteps,
  type StepRunOptions,
  startInBackground,
} from '../operations/step-runner.ts';
import { openConnection, prepare } from './connection.ts';
import { loadSchema } from './schema.ts';
import { createSql } from './sql.ts';
import { createWriteLock, type WriteLock } from './write-lock.ts';

/** There is one writer, so posts wait for the batch that runs. The pauses are longer than on PostgreSQL. */
const WHILE_SERVING: Pace = { pauseRatio: 3 };

/** Runs backfills beside the service. Their batches are committed together with posts, by the writer thread. */
export function startSteps(
  {
    list,
    write,
  }: {
    list: () => Promise<RecordedStep[]>;
    write: (name: 'runBackfillBatch', input: BatchInput) => Promise<BatchResult>;
  },
  { onEvent = () => {} }: UpgradeOptions = {},
): BackgroundRun {
  const known = backgroundSteps(loadSchema().steps);
  const place = {
    list,
    runBatch: (input: BatchInput) => write('runBackfillBatch', input),
    // The next start runs them, before posts are accepted.
    runStatements: async () => 'later' as const,
  };
  return startInBackground((stop) => runSteps(place, known, { pace: WHILE_SERVING, onEvent, stop }), onEvent);
}

/** Runs all steps that are left, each batch in a transaction of its own, also while a service writes the file. */
export async function finishSqliteSteps(
  file: string,
  migrations: readonly Migration[],
  options: StepRunOptions,
): Promise<void> {
  const db = openConnection(file);
  try {
    const lock = createWriteLock(db);
    const sql = createSql(db);
    const place = {
      list: () => listSteps(sql),
      runBatch: (input: BatchInput) => inWriteLock(db, lock, () => runBackfillBatch(sql, input)),
      runStatements: (step: BackgroundStep) =>
        inWriteLock(db, lock, async () => {
          applySchemaStep(db, step);
          return 'done' as const;
        }),
    };
    await runSteps(place, backgroundSteps(migrations), options);
  } finally {
    db.close();
  }
}

/** Runs the statements of a step in the caller's transaction, and records that it is finished. */
export function applySchemaStep(db: DatabaseSync, { version, stepNo, step }: BackgroundStep): void {
  db.exec(step.sql);
  prepare(db, 'DELETE FROM schema_step WHERE version = $1 AND step_no = $2').run(version, stepNo);
}

async function inWriteLock<Result>(
  db: DatabaseSync,
  lock: WriteLock,
  work: () => Promise<Result>,
): Promise<Result> {
  lock.begin();
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) {
      db.exec('ROLLBACK');
    }
    throw error;
  } finally {
    lock.ended();
  }
}
