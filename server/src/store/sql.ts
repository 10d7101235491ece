import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { Dialect } from './dialect.ts';

export type Scalar = string | number | boolean | null | Uint8Array;

/** A value of a statement. SQLite gets lists as JSON text and booleans as 0 and 1. */
export type Value = Scalar | readonly (Scalar | undefined)[];

export type ColumnType = 'text' | 'bigint';

/** A statement with the shape of its rows. Values are numbered: `$1`, `$2`; one number may occur several times. */
export interface Statement<Row> {
  /** A function where the engines need different SQL. It is called once for each engine. */
  readonly text: string | ((dialect: Dialect) => string);
  /**
   * Makes a row of its values in the order of the columns. SQLite reads rows with many columns faster as lists than as
   * objects, and PostgreSQL as one JSON value. The columns are texts and integers.
   */
  readonly fromValues?: (values: readonly unknown[]) => Row;
  /** For statements with thousands of rows: PostgreSQL then returns these columns as one text, which costs half as much. */
  readonly columns?: Readonly<Record<string, ColumnType>>;
  /** Never set: it only carries the type of the rows. */
  readonly row?: Row;
}

/** Declares a statement. Each connection prepares it at its first use there. Call it once, outside of functions. */
export function statement<Row = never>(
  text: Statement<Row>['text'],
  fromValues?: Statement<Row>['fromValues'],
  columns?: Statement<Row>['columns'],
): Statement<Row> {
  return { text, ...(fromValues && { fromValues }), ...(columns && { columns }) };
}

/** Caches statements by shape, for example one for each combination of filters. The set of shapes must be closed. */
export function statementsByShape<Row>(
  fromValues?: Statement<Row>['fromValues'],
): (shape: string, text: (dialect: Dialect) => string) => Statement<Row> {
  const kept = new Map<string, Statement<Row>>();
  return (shape, text) => {
    let present = kept.get(shape);
    if (present === undefined) {
      present = statement<Row>(text, fromValues);
      kept.set(shape, present);
    }
    return present;
  };
}

/**
 * A connection to the store, or a transaction on one. PostgreSQL returns promises, SQLite returns results at once. A
 * stored feature is written for both: it awaits each result, and awaits nothing else. On SQLite it then runs to its
 * end before anything else does.
 */
export interface Sql {
  all<Row>(statement: Statement<Row>, values?: readonly Value[]): MaybePromise<Row[]>;
  first<Row>(statement: Statement<Row>, values?: readonly Value[]): MaybePromise<Row | undefined>;
  /** Resolves to the number of rows written. */
  run(statement: Statement<never>, values?: readonly Value[]): MaybePromise<number>;
  /** Like `run`, for a statement that inserts many rows. `shared` has the values that all of them have in common. */
  runMany(
    statement: ManyRows,
    shared: readonly Scalar[],
    rows: readonly (readonly Scalar[])[],
  ): MaybePromise<number>;
  /**
   * Makes PostgreSQL follow indexes until the transaction ends, whatever its statistics say. SQLite does nothing: its statements
   * name their indexes.
   */
  preferIndexes(): MaybePromise<void>;
  /**
   * Lets the transaction delete rows of append-only tables. SQLite does nothing: its triggers read the marks of what may
   * be deleted.
   */
  allowRemoval(): MaybePromise<void>;
  /** Notifies the other instances once the transaction is committed. SQLite does nothing: each process reads the file itself. */
  notify(channel: string, message: string): MaybePromise<void>;
}

/**
 * Inserts any number of rows: PostgreSQL in one statement, SQLite row by row. Tables that are distributed by guild get the guild's
 * number from `shared`.
 */
export interface ManyRows {
  readonly text: (dialect: Dialect) => string;
}

export interface ManyRowsOptions {
  table: string;
  /** Columns with a value of their own in each row. */
  columns: Readonly<Record<string, 'text' | 'bigint' | 'boolean' | 'bytea'>>;
  /**
   * Columns that have the same value in every row, bound before the others. `guild_no` comes first if it is among
   * them.
   */
  shared?: readonly string[];
  /** True when the table is on one node even where other tables are distributed by guild. */
  isOnOneMachine?: boolean;
  /** Follows the rows, for example an ON CONFLICT clause. */
  ending?: string;
}

export function manyRows(options: ManyRowsOptions): ManyRows {
  const { table, columns, shared = [], isOnOneMachine = false, ending = '' } = options;
  const into = `INSERT INTO ${table} (${[...shared, ...Object.keys(columns)].join(', ')})`;
  const sharedValues = shared.map((_, index) => `$${index + 1}`);
  const values = Object.values(columns).map((_, index) => `$${shared.length + index + 1}`);
  const lists = Object.values(columns).map((type, index) => `${values[index]}::${type}[]`);
  return {
    text({ engine }) {
      if (engine === 'sqlite') {
        return `${into} VALUES (${[...sharedValues, ...values].join(', ')}) ${ending}`;
      }
      if (shared[0] !== 'guild_no' || isOnOneMachine) {
        return `${into} SELECT ${[...sharedValues, 'rows.*'].join(', ')} FROM unnest(${lists.join(', ')}) AS rows ${ending}`;
      }
      // On a distributed store, joining the guild's row of another table makes Citus run the statement on the guild's
      // node.
      return `${into} SELECT ${['own.guild_no', ...sharedValues.slice(1), 'rows.*'].join(', ')}
        FROM audit_counter AS own CROSS JOIN unnest(${lists.join(', ')}) AS rows WHERE own.guild_no = $1 ${ending}`;
    },
  };
}

/** The SQL of a statement in a dialect. */
export function textOf({ text }: Statement<unknown> | ManyRows, dialect: Dialect): string {
  return typeof text === 'string' ? text : text(dialect);
}

/** Thrown by a write when another one was first. Its transaction is rolled back and the write runs again. */
export class Conflict extends Error {
  override name = 'Conflict';
}

/** Runs reads that all see one snapshot. */
export type Snapshot = <Result>(work: (sql: Sql) => MaybePromise<Result>) => Promise<Result>;
