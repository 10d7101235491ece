import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundEvent, Migration } from '../operations/migrate.ts';
import {
  backgroundSteps,
  LIST_STEPS,
  type RecordedStep,
  runBackfillBatch,
} from '../operations/schema-steps.ts';
import { nextStep, runSteps, type StepPlace, type StepRunOptions } from '../operations/step-runner.ts';
import { type Database, openPool } from './connection.ts';
import { toOperations } from './ddl-operations.ts';
import { readDistribution } from './distribution.ts';
import { GUILD_TABLES } from './spread-tables.ts';
import { createWriter } from './transactions.ts';
import { BACKGROUND_LOCK, openUpgradeLock } from './upgrade-lock.ts';
import { openDdlClient, runExplained } from './upgrade-steps.ts';
import { onePool } from './write-pools.ts';

/** How often an instance looks whether the one that runs the steps has finished or ended. */
const LOOK_EVERY_MS = 2_000;
const ADVANCE = 'UPDATE schema_step SET position = $3 WHERE version = $1 AND step_no = $2';
const FINISH = 'DELETE FROM schema_step WHERE version = $1 AND step_no = $2';

/**
 * Runs the steps of migrations that run in the background, until none is left. Of several instances one runs them; the others watch,
 * and one of them continues when that one ends.
 */
export async function finishPostgresSteps(
  database: Database,
  migrations: readonly Migration[],
  options: StepRunOptions,
): Promise<void> {
  const known = backgroundSteps(migrations);
  const place = openPlace(await readDistribution(database), options);
  try {
    for (;;) {
      options.stop.throwIfAborted();
      const next = nextStep(known, await place.list());
      if (next === undefined) {
        return;
      }
      if (!(await runLocked(database, () => runSteps(place, known, options)))) {
        report(next.recorded, options.onEvent);
        await pause(LOOK_EVERY_MS, undefined, { signal: options.stop });
      }
    }
  } finally {
    await place.close();
  }
}

/** Runs work under the lock. Returns false when another instance has it. */
async function runLocked(database: Database, work: () => Promise<void>): Promise<boolean> {
  const lock = await openUpgradeLock(database, BACKGROUND_LOCK);
  try {
    const isOurs = await lock.tryTake();
    if (isOurs) {
      await work();
    }
    return isOurs;
  } finally {
    await lock.close();
  }
}

function report(
  { name, rowsDone, rowsTotal }: RecordedStep,
  onEvent: (event: BackgroundEvent) => void,
): void {
  if (rowsTotal > 0) {
    onEvent({ kind: 'backfilling', step: name, done: rowsDone, total: rowsTotal });
  }
}

function openPlace(
  database: Database,
  { onEvent, stop }: StepRunOptions,
): StepPlace & { close(): Promise<void> } {
  const pool = openPool({ ...database, connections: 1 });
  const writer = createWriter(onePool(pool), database);
  return {
    list: async () => (await pool.query<RecordedStep>(LIST_STEPS)).rows,
    runBatch(input) {
      const isByGuild = database.isDistributed && GUILD_TABLES.some((name) => name === input.table);
      return writer.write('backfill', (transaction) =>
        runBackfillBatch(transaction, { ...input, isByGuild }),
      );
    },
    async runStatements({ version, stepNo, name, step }, { position }) {
      const client = await openDdlClient(database);
      // The server continues building an index whose connection was cut. The next run waits for it, or builds it again.
      const cut = () => client.connection.stream.destroy();
      stop.addEventListener('abort', cut);
      try {
        const operations = toOperations(step.sql);
        for (const [index, operation] of operations.entries()) {
          if (index < Number(position ?? 0)) {
            continue;
          }
          const isLast = index === operations.length - 1;
          await runExplained(client, operation, {
            what: `step ${name}`,
            async record() {
              await client.query(
                isLast ? FINISH : ADVANCE,
                isLast ? [version, stepNo] : [version, stepNo, String(index + 1)],
              );
            },
            onRepeat: (reason) => onEvent({ kind: 'repeating', step: name, reason }),
            stop,
          });
        }
        return 'done';
      } finally {
        stop.removeEventListener('abort', cut);
        await client.end();
      }
    },
    async close() {
      await writer.close();
      await pool.end();
    },
  };
}
