import type { Dialect } from '../dialect.ts';
import { inLane } from '../jobs.ts';
import { type Sql, type Statement, statement, type Value } from '../sql.ts';
import type { Migration } from './migrate.ts';
import { BATCH, type BackfillStep, type MigrationStep, nameStep } from './migration-steps.ts';

/**
 * The progress of an upgrade, in the table `schema_step`. Step 0 of a version exists while its `expand` steps are applied. The other
 * rows are steps that run in the background; a row is deleted in the commit that finishes its step.
 */
export const EXPAND_STEP_NO = 0;

/** A step that runs in the background, as it is declared. */
export interface BackgroundStep {
  version: number;
  /** The number of the step in its migration, from 1. */
  stepNo: number;
  name: string;
  step: MigrationStep;
}

/** A step that is not finished, as the store records it. */
export interface RecordedStep {
  version: number;
  stepNo: number;
  name: string;
  /** The statements that are done, or the key of the last row that was filled, as JSON. */
  position: string | null;
  rowsDone: number;
  rowsTotal: number;
}

const COLUMNS = `version, step_no AS "stepNo", name, position, rows_done AS "rowsDone", rows_total AS "rowsTotal"`;
export const LIST_STEPS = `SELECT ${COLUMNS} FROM schema_step WHERE step_no > ${EXPAND_STEP_NO} ORDER BY version, step_no`;
export const INSERT_STEP = `INSERT INTO schema_step (version, step_no, name, position, rows_done, rows_total)
  VALUES ($1, $2, $3, NULL, 0, $4)`;
const LIST = statement<RecordedStep>(LIST_STEPS);
const LOCK = statement<RecordedStep>(
  ({ forUpdate }) => `SELECT ${COLUMNS} FROM schema_step WHERE version = $1 AND step_no = $2 ${forUpdate}`,
);
const ADVANCE = statement(
  'UPDATE schema_step SET position = $3, rows_done = rows_done + $4 WHERE version = $1 AND step_no = $2',
);
const FINISH = statement('DELETE FROM schema_step WHERE version = $1 AND step_no = $2');

type DeclaredSteps = Pick<Migration, 'version' | 'name' | 'steps'>;

/** The steps of migrations that run in the background, in their order. */
export function backgroundSteps(migrations: readonly DeclaredSteps[]): BackgroundStep[] {
  return migrations.flatMap(backgroundStepsOf);
}

export function backgroundStepsOf(migration: DeclaredSteps): BackgroundStep[] {
  const { version, steps } = migration;
  return steps.flatMap((step, index) =>
    step.kind === 'expand' ? [] : [{ version, stepNo: index + 1, name: nameStep(migration, step), step }],
  );
}

export async function listSteps(sql: Sql): Promise<RecordedStep[]> {
  return sql.all(LIST);
}

/** A batch of a backfill. It crosses to the writer thread of SQLite, so it has the statement itself. */
export interface BatchInput extends Pick<BackfillStep, 'table' | 'key' | 'sql'> {
  version: number;
  stepNo: number;
  size: number;
}

/** The progress after a batch. */
export interface BatchResult {
  isFinished: boolean;
  rowsDone: number;
  rowsTotal: number;
}

export const SCHEMA_STEP_WRITES = {
  runBackfillBatch: inLane((_: BatchInput) => 'backfill', runBackfillBatch),
};

/**
 * Runs the next batch of a backfill and records its end in the same commit. Two processes may do it at once: each takes the batch
 * after the other's.
 */
export async function runBackfillBatch(sql: Sql, input: BatchInput): Promise<BatchResult> {
  const { version, stepNo, key, size } = input;
  const recorded = await sql.first(LOCK, [version, stepNo]);
  if (recorded === undefined) {
    return { isFinished: true, rowsDone: 0, rowsTotal: 0 };
  }
  // Statistics that are missing or old must not turn a batch into a scan of the whole table.
  await sql.preferIndexes();
  const after: readonly Value[] = recorded.position === null ? [] : JSON.parse(recorded.position);
  const found = await sql.first(endOfBatch(input, after.length > 0), [...after, size - 1]);
  const end = found === undefined ? [] : key.map((column) => found[column] ?? null);
  const changed = await sql.run(batchOf(input, { isFirst: after.length === 0, isLast: end.length === 0 }), [
    ...after,
    ...end,
  ]);
  const progress = { rowsDone: recorded.rowsDone, rowsTotal: recorded.rowsTotal };
  if (found === undefined) {
    await sql.run(FINISH, [version, stepNo]);
    return { ...progress, isFinished: true, rowsDone: recorded.rowsDone + changed };
  }
  await sql.run(ADVANCE, [version, stepNo, JSON.stringify(end), size]);
  return { ...progress, isFinished: false, rowsDone: recorded.rowsDone + size };
}

/** Finds the last row of a batch, or none when fewer rows are left. */
function endOfBatch(
  { table, key }: BatchInput,
  hasStart: boolean,
): Statement<Record<string, string | number>> {
  const columns = key.join(', ');
  const where = hasStart ? `WHERE (${columns}) > (${numbered(key, 1)})` : '';
  const offset = hasStart ? key.length + 1 : 1;
  return declared(`SELECT ${columns} FROM ${table} ${where} ORDER BY ${columns} LIMIT 1 OFFSET $${offset}`);
}

function batchOf(
  { table, key, sql }: BatchInput,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): Statement<never> {
  const columns = key.join(', ');
  const bounds = [
    ...(isFirst ? [] : [`(${columns}) > (${numbered(key, 1)})`]),
    ...(isLast ? [] : [`(${columns}) <= (${numbered(key, isFirst ? 1 : key.length + 1)})`]),
  ];
  const condition = bounds.length === 0 ? '1 = 1' : bounds.join(' AND ');
  return declared(`${sql} -- ${condition}`, ({ byKey }) =>
    sql.replace(BATCH, () => byKey({ table, columns, condition })),
  );
}

function numbered(key: readonly string[], from: number): string {
  return key.map((_, index) => `$${from + index}`).join(', ');
}

/** Each engine prepares a statement once. There are at most six of a backfill. */
const statements = new Map<string, Statement<never>>();

function declared(name: string, text: string | ((dialect: Dialect) => string) = name): Statement<never> {
  let present = statements.get(name);
  if (present === undefined) {
    present = statement(text);
    statements.set(name, present);
  }
  return present;
}
