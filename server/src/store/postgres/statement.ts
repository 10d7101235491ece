import { createHash } from 'node:crypto';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { POSTGRES } from '../dialect.ts';
import {
  type ManyRows,
  type Scalar,
  type Sql,
  type Statement,
  statement,
  statementsByShape,
  textOf,
  type Value,
} from '../sql.ts';
import { arrayText } from './array-text.ts';
import { inRowText, readRowText } from './row-text.ts';

export { type Statement, statement as prepare, type Value };

/** A statement with its values. */
export interface Call<Row> {
  statement: Statement<Row>;
  values: readonly Value[];
}

/** A connection, or a transaction on one. */
export interface Runner extends Sql {
  all<Row>(statement: Statement<Row>, values?: readonly Value[]): Promise<Row[]>;
  first<Row>(statement: Statement<Row>, values?: readonly Value[]): Promise<Row | undefined>;
  run(statement: Statement<never>, values?: readonly Value[]): Promise<number>;
  runMany(
    statement: ManyRows,
    shared: readonly Scalar[],
    rows: readonly (readonly Scalar[])[],
  ): Promise<number>;
  preferIndexes(): Promise<void>;
  allowRemoval(): Promise<void>;
  notify(channel: string, message: string): Promise<void>;
}

/** Runs reads that all see one snapshot. */
export type Snapshot = <Result>(work: (moment: Runner) => MaybePromise<Result>) => Promise<Result>;

/** Caches statements by shape, and builds the text of each at its first use. The set of shapes must be closed. */
export const prepareOnDemand = statementsByShape;

const NAME_LENGTH = 16;
const PREFER_INDEXES = `SELECT ${[
  ['join_collapse_limit', '1'],
  ['enable_bitmapscan', 'off'],
  ['enable_seqscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
]
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')}`;

// The trigger functions refuse_change and refuse_removal read the second one. The first one makes Citus pass it to the nodes.
const ALLOW_REMOVAL = [
  `SET LOCAL citus.propagate_set_commands = 'local'`,
  `SET LOCAL guildbook.allows_removal = 'on'`,
];

interface Named {
  name: string;
  text: string;
}

const named = new Map<Statement<unknown> | ManyRows, Named>();

/** The text of a statement with the name under which each connection prepares it once. */
export function nameStatement(statement: Statement<unknown> | ManyRows): Named {
  let present = named.get(statement);
  if (present === undefined) {
    const text = textOf(statement, POSTGRES);
    // Named after its text, so that no two statements can share a name.
    const hash = createHash('sha256').update(text).digest('hex');
    present = { name: `gb_${hash.slice(0, NAME_LENGTH)}`, text };
    named.set(statement, present);
  }
  return present;
}

/**
 * The parts of shared statements that differ between the stores. PostgreSQL takes no index hints; it plans with
 * statistics.
 */
export const NO_HINTS = { placeholder: (position: number) => `$${position}`, indexHint: () => '' };

const wrapped = new Map<Statement<unknown>, Statement<unknown>>();

/**
 * The same rows as one JSON value. The driver spends time on every single value, which counts for rows with many
 * columns.
 */
function inJson(given: Statement<unknown>): Statement<unknown> {
  let present = wrapped.get(given);
  if (present === undefined) {
    present = statement<unknown>(`SELECT json_agg(found) AS rows FROM (${textOf(given, POSTGRES)}) AS found`);
    wrapped.set(given, present);
  }
  return present;
}

/** The values of a row from JSON, in the order of the columns. */
function exactValues(row: object): unknown[] {
  const values = Object.values(row);
  assertExact(values);
  return values;
}

function assertExact(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new Error('the store returned a number that is not a safe integer');
    }
  }
}

const asText = new Map<Statement<unknown>, Statement<unknown>>();

/** The same rows as one text. */
function inText(
  given: Statement<unknown>,
  columns: NonNullable<Statement<unknown>['columns']>,
): Statement<unknown> {
  let present = asText.get(given);
  if (present === undefined) {
    present = statement<unknown>(inRowText(textOf(given, POSTGRES), columns));
    asText.set(given, present);
  }
  return present;
}

/** The driver sends bytes as they are. */
function toParameter(value: Value): Exclude<Value, readonly unknown[]> {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
    ? arrayText(value)
    : value;
}

export type Execute = (query: QueryConfig) => Promise<QueryResult<QueryResultRow>>;

/**
 * Makes a runner of a function that executes queries. Unnamed statements leave nothing behind on the connection. `check` is called
 * before each statement, and may refuse it by an error.
 */
export function createRunner(
  execute: Execute,
  isNamed: boolean,
  check: (statement: Statement<unknown> | ManyRows) => void = () => {},
): Runner {
  async function send(statement: Statement<unknown> | ManyRows, values: readonly Value[] = []) {
    check(statement);
    const { name, text } = nameStatement(statement);
    const texts = values.map(toParameter);
    return execute(isNamed ? { name, text, values: texts } : { text, values: texts });
  }
  async function rowsOf<Row>(statement: Statement<Row>, values: readonly Value[] = []): Promise<Row[]> {
    const { fromValues, columns } = statement;
    if (fromValues === undefined) {
      // The rows have the shape that the SQL beside the type selects; the contract suite runs every statement.
      return (await send(statement, values)).rows as Row[];
    }
    if (columns !== undefined) {
      const [whole] = (await send(inText(statement, columns), values)).rows;
      const read = readRowText(whole as { count: number; text: string | null }, columns);
      if (read !== undefined) {
        read.forEach(assertExact);
        return read.map(fromValues);
      }
    }
    const [found] = (await send(inJson(statement), values)).rows;
    const rows = (found as { rows: object[] | null } | undefined)?.rows ?? [];
    return rows.map((row) => fromValues(exactValues(row)));
  }
  return {
    all: rowsOf,
    first: async <Row>(statement: Statement<Row>, values?: readonly Value[]) =>
      (await rowsOf(statement, values))[0],
    run: async (statement, values) => (await send(statement, values)).rowCount ?? 0,
    async runMany(statement, shared, rows) {
      const lists = (rows[0] ?? []).map((_, index) => rows.map((row) => row[index]));
      return rows.length === 0 ? 0 : ((await send(statement, [...shared, ...lists])).rowCount ?? 0);
    },
    async preferIndexes() {
      await execute({ text: PREFER_INDEXES });
    },
    async allowRemoval() {
      for (const text of ALLOW_REMOVAL) {
        await execute({ text });
      }
    },
    async notify(channel, message) {
      await execute({ text: 'SELECT pg_notify($1, $2)', values: [channel, message] });
    },
  };
}
