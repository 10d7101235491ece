import { createHash } from 'node:crypto';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';

export type Value =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | boolean | null | undefined)[];

/** A statement with the shape of the rows it gives. The server keeps it under its name, once for each connection. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never there: it only ties the shape to the statement. */
  readonly row?: Row;
}

/** What can run a statement: a connection, or a transaction on one. */
export interface Runner {
  all<Row>(statement: Statement<Row>, values?: readonly Value[]): Promise<Row[]>;
  first<Row>(statement: Statement<Row>, values?: readonly Value[]): Promise<Row | undefined>;
  /** How many rows were written. */
  run(statement: Statement<never>, values?: readonly Value[]): Promise<number>;
}

/** Runs reads that all see one moment. */
export type Snapshot = <Result>(work: (moment: Runner) => Promise<Result>) => Promise<Result>;

const NAME_LENGTH = 16;

/** Writes a statement down once; it is prepared on each connection at its first use there. */
export function prepare<Row = never>(text: string): Statement<Row> {
  // Named after its text, so that no two statements can ever meet under one name.
  return { name: `gb_${createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH)}`, text };
}

/** Keeps each statement of a closed set of shapes, written at its first use. */
export function prepareOnDemand<Row>(): (shape: string, sql: () => string) => Statement<Row> {
  const prepared = new Map<string, Statement<Row>>();
  return (shape, sql) => {
    let statement = prepared.get(shape);
    if (statement === undefined) {
      statement = prepare<Row>(sql());
      prepared.set(shape, statement);
    }
    return statement;
  };
}

/** How the statements that both stores share are written here. PostgreSQL takes no hints and needs none: it has statistics. */
export const NO_HINTS = { placeholder: (position: number) => `$${position}`, indexHint: () => '' };

export type Execute = (query: QueryConfig) => Promise<QueryResult<QueryResultRow>>;

/** Makes a runner of whatever takes queries. Without names nothing stays behind on the connection. */
export function createRunner(execute: Execute, isNamed: boolean): Runner {
  function send(statement: Statement<unknown>, values: readonly Value[] = []) {
    const { name, text } = statement;
    return execute(isNamed ? { name, text, values: [...values] } : { text, values: [...values] });
  }
  return {
    // The rows have the shape that the SQL beside `prepare` selects; the contract suite runs every statement.
    all: async <Row>(statement: Statement<Row>, values?: readonly Value[]) =>
      (await send(statement, values)).rows as Row[],
    first: async <Row>(statement: Statement<Row>, values?: readonly Value[]) =>
      (await send(statement, values)).rows[0] as Row | undefined,
    run: async (statement, values) => (await send(statement, values)).rowCount ?? 0,
  };
}
