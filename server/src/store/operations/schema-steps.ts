import { NO_GUILD } from '../audit/audit-writer.ts';
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
const NEXT_GUILD = statement<{ guildNo: number }>(
  'SELECT guild_no AS "guildNo" FROM guild WHERE guild_no > $1 ORDER BY guild_no LIMIT 1',
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
  /**
   * True for a table that is distributed by guild, whose key begins with `guild_no`. A batch then has rows of one guild, so that one
   * node has all of them and finds them by the key. A condition on several guilds would read every node's whole table.
   */
  isByGuild?: boolean;
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
  const { version, stepNo } = input;
  const recorded = await sql.first(LOCK, [version, stepNo]);
  if (recorded === undefined) {
    return { isFinished: true, rowsDone: 0, rowsTotal: 0 };
  }
  // Statistics that are missing or old must not turn a batch into a scan of the whole table.
  await sql.preferIndexes();
  const after: readonly Value[] = recorded.position === null ? [] : JSON.parse(recorded.position);
  const { done, end } =
    input.isByGuild === true ? await runInGuild(sql, input, after) : await runRange(sql, input, { after });
  const rowsDone = recorded.rowsDone + done;
  await (end === undefined
    ? sql.run(FINISH, [version, stepNo])
    : sql.run(ADVANCE, [version, stepNo, JSON.stringify(end), done]));
  return { isFinished: end === undefined, rowsDone, rowsTotal: recorded.rowsTotal };
}

/** The rows of a batch, and the key after which the next one begins, or undefined after the last one. */
interface Filled {
  done: number;
  end: readonly Value[] | undefined;
}

/** Fills rows of the next guild that has some left. Its number alone is the end of a guild's last batch. */
async function runInGuild(sql: Sql, input: BatchInput, position: readonly Value[]): Promise<Filled> {
  const [last, ...after] = position;
  const guildNo =
    after.length > 0 ? last : last === undefined ? NO_GUILD : (await sql.first(NEXT_GUILD, [last]))?.guildNo;
  if (guildNo === undefined) {
    return { done: 0, end: undefined };
  }
  const { done, end = [] } = await runRange(sql, input, { guildNo, after });
  return { done, end: [guildNo, ...end] };
}

/** A range of rows in the order of the key: all of them, or those of a guild, from a position on that leaves out the guild. */
interface Range {
  guildNo?: Value;
  after: readonly Value[];
}

async function runRange(sql: Sql, input: BatchInput, { guildNo, after }: Range): Promise<Filled> {
  const { size } = input;
  const key = guildNo === undefined ? input.key : input.key.slice(1);
  const shape = { ...input, key, hasGuild: guildNo !== undefined, isFirst: after.length === 0 };
  const given = guildNo === undefined ? after : [guildNo, ...after];
  const found = await sql.first(endOfBatch(shape), [...given, size - 1]);
  const end = found && key.map((column) => found[column] ?? null);
  const changed = await sql.run(batchOf({ ...shape, isLast: end === undefined }), [...given, ...(end ?? [])]);
  return { done: end === undefined ? changed : size, end };
}

/** The statements of a batch differ by its bounds. `key` leaves out the guild where `hasGuild`; the guild is then the first value. */
interface BatchShape extends Pick<BatchInput, 'table' | 'key' | 'sql'> {
  hasGuild: boolean;
  isFirst: boolean;
}

const ofGuild = ({ hasGuild }: BatchShape) => (hasGuild ? ['guild_no = $1'] : []);
const afterStart = (shape: BatchShape) =>
  shape.isFirst ? [] : [`(${shape.key.join(', ')}) > (${numbered(shape.key, shape.hasGuild ? 2 : 1)})`];

/** Finds the last row of a batch, or none when fewer rows are left. */
function endOfBatch(shape: BatchShape): Statement<Record<string, string | number>> {
  const { table, key, hasGuild, isFirst } = shape;
  const columns = key.join(', ');
  const bounds = [...ofGuild(shape), ...afterStart(shape)];
  const where = bounds.length === 0 ? '' : `WHERE ${bounds.join(' AND ')}`;
  const offset = (hasGuild ? 2 : 1) + (isFirst ? 0 : key.length);
  return declared(`SELECT ${columns} FROM ${table} ${where} ORDER BY ${columns} LIMIT 1 OFFSET $${offset}`);
}

function batchOf(shape: BatchShape & { isLast: boolean }): Statement<never> {
  const { table, key, sql, hasGuild, isFirst, isLast } = shape;
  const columns = key.join(', ');
  const last = (hasGuild ? 2 : 1) + (isFirst ? 0 : key.length);
  const bounds = [
    ...ofGuild(shape),
    ...afterStart(shape),
    ...(isLast ? [] : [`(${columns}) <= (${numbered(key, last)})`]),
  ];
  const condition = bounds.length === 0 ? '1 = 1' : bounds.join(' AND ');
  return declared(`${sql} -- ${condition}`, ({ byKey }) =>
    sql.replace(BATCH, () => [...ofGuild(shape), byKey({ table, columns, condition })].join(' AND ')),
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
