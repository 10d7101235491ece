import type pg from 'pg';
import { knownSteps, type PendingStep } from '../operations/migrate.ts';
import type { MigrationStep } from '../operations/migration-steps.ts';
import { firstLine, type PlannedWork, planOfNewStore, type UpgradePlan } from '../operations/plan.ts';
import { backgroundSteps, LIST_STEPS, type RecordedStep } from '../operations/schema-steps.ts';
import { type Database, openClient } from './connection.ts';
import { type DdlOperation, toOperations } from './ddl-operations.ts';
import { loadSchema, pendingChanges, readRecorded } from './schema.ts';
import { estimateRows } from './upgrade-steps.ts';

/** Rough rates, for two cores and tables in memory: rows of an index build, of a scan, and of a backfill with its pauses. */
const INDEXED_PER_SECOND = 300_000;
const SCANNED_PER_SECOND = 1_000_000;
const FILLED_PER_SECOND = 2_500;

const WEAK_LOCK = 'SHARE UPDATE EXCLUSIVE: others read and write';
const NO_LOCK = 'none on tables in use';

/** The steps that an upgrade would run. Only reads. */
export async function planPostgresUpgrade(database: Database): Promise<UpgradePlan> {
  const client = await openClient(database);
  try {
    await client.query('BEGIN READ ONLY');
    const schema = loadSchema();
    const to = knownSteps(schema).length;
    const recorded = await readRecorded(client);
    if (recorded.applied.length === 0) {
      return planOfNewStore(to);
    }
    const works: PlannedWork[] = [];
    for (const pending of pendingChanges(schema, recorded)) {
      works.push(...(await planPending(client, pending)));
    }
    const unfinished = recorded.hasProgress ? (await client.query<RecordedStep>(LIST_STEPS)).rows : [];
    for (const { version, stepNo, rowsDone } of unfinished) {
      const ours = backgroundSteps(schema.steps).find(
        (one) => one.version === version && one.stepNo === stepNo,
      );
      if (ours !== undefined) {
        works.push(...(await planStep(client, { migration: ours.name, step: ours.step, rowsDone })));
      }
    }
    return { from: recorded.applied.length, to, works, notes: [] };
  } finally {
    await client.end();
  }
}

async function planPending(client: pg.Client, { name, steps }: PendingStep): Promise<PlannedWork[]> {
  if (steps === undefined) {
    return [
      { migration: name, kind: 'expand', work: 'replace the functions', lock: NO_LOCK, rows: 0, seconds: 0 },
    ];
  }
  const works: PlannedWork[] = [];
  for (const step of steps) {
    works.push(...(await planStep(client, { migration: name, step, rowsDone: 0 })));
  }
  return works;
}

async function planStep(
  client: pg.Client,
  { migration, step, rowsDone }: { migration: string; step: MigrationStep; rowsDone: number },
): Promise<PlannedWork[]> {
  const { kind } = step;
  if (step.kind === 'backfill') {
    const rows = Math.max(0, (await estimateRows(client, step.table)) - rowsDone);
    const lock = 'rows of a batch, for about 20 ms';
    return [{ migration, kind, work: firstLine(step.sql), lock, rows, seconds: rows / FILLED_PER_SECOND }];
  }
  const works: PlannedWork[] = [];
  for (const operation of toOperations(step.sql)) {
    const table = 'table' in operation ? operation.table : undefined;
    const rows = table === undefined ? 0 : await estimateRows(client, table);
    works.push({ migration, kind, ...describe(operation, rows) });
  }
  return works;
}

function describe(operation: DdlOperation, rows: number): Omit<PlannedWork, 'migration' | 'kind'> {
  switch (operation.kind) {
    case 'statement': {
      const isOfTable = operation.sql.startsWith('ALTER TABLE') || operation.sql.startsWith('DROP TABLE');
      const lock = isOfTable ? `ACCESS EXCLUSIVE on ${operation.table}, under 1 s` : NO_LOCK;
      return { work: firstLine(operation.sql), lock, rows: 0, seconds: 0 };
    }
    case 'validate':
      return {
        work: firstLine(operation.sql),
        lock: WEAK_LOCK,
        rows,
        seconds: rows / SCANNED_PER_SECOND,
      };
    case 'build index':
    case 'replace index':
      return {
        work: `${operation.kind} ${operation.index}`,
        lock: WEAK_LOCK,
        rows,
        seconds: rows / INDEXED_PER_SECOND,
      };
    case 'drop index':
      return { work: `drop index ${operation.index}`, lock: WEAK_LOCK, rows: 0, seconds: 0 };
  }
}
