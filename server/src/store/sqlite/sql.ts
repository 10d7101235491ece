import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { SQLITE } from '../dialect.ts';
import { type ManyRows, type Sql, type Statement, textOf, type Value } from '../sql.ts';
import { withNumberedValues } from './connection.ts';

/** `Sql` whose results are all synchronous. */
export interface SqlNow extends Sql {
  all<Row>(statement: Statement<Row>, values?: readonly Value[]): Row[];
  first<Row>(statement: Statement<Row>, values?: readonly Value[]): Row | undefined;
  run(...input: Parameters<Sql['run']>): number;
  runMany(...input: Parameters<Sql['runMany']>): number;
}

/** Runs the statements of stored features on a connection. */
export function createSql(db: DatabaseSync): SqlNow {
  const prepared = new Map<Statement<unknown> | ManyRows, StatementSync>();

  function prepare(statement: Statement<unknown> | ManyRows): StatementSync {
    let present = prepared.get(statement);
    if (present === undefined) {
      present = db.prepare(withNumberedValues(textOf(statement, SQLITE)));
      present.setReturnArrays('fromValues' in statement);
      prepared.set(statement, present);
    }
    return present;
  }

  return {
    // The rows have the shape that the SQL beside the type selects; the contract suite runs every statement.
    all<Row>(statement: Statement<Row>, values: readonly Value[] = []) {
      const rows: unknown[] = prepare(statement).all(...values.map(toInput));
      const { fromValues } = statement;
      return fromValues === undefined ? (rows as Row[]) : (rows as unknown[][]).map(fromValues);
    },
    first<Row>(statement: Statement<Row>, values: readonly Value[] = []) {
      const row: unknown = prepare(statement).get(...values.map(toInput));
      const { fromValues } = statement;
      return row === undefined || fromValues === undefined
        ? (row as Row | undefined)
        : fromValues(row as unknown[]);
    },
    run: (statement, values = []) => Number(prepare(statement).run(...values.map(toInput)).changes),
    runMany(statement, shared, rows) {
      const insert = prepare(statement);
      const first = shared.map(toInput);
      let written = 0;
      for (const row of rows) {
        written += Number(insert.run(...first, ...row.map(toInput)).changes);
      }
      return written;
    },
    preferIndexes() {},
    allowRemoval() {},
    notify() {},
  };
}

/** Synchronous reads whose errors are translated. */
export function guardSqlNow(sql: Sql, readNow: <Result>(work: () => Result) => Result): Sql {
  return {
    all: (statement, values) => readNow(() => sql.all(statement, values)),
    first: (statement, values) => readNow(() => sql.first(statement, values)),
    run: (statement, values) => readNow(() => sql.run(statement, values)),
    runMany: (statement, shared, rows) => readNow(() => sql.runMany(statement, shared, rows)),
    preferIndexes() {},
    allowRemoval() {},
    notify() {},
  };
}

/** Runs reads, translates their errors, and refuses them once the store is closed. */
export type Guarded = <Result>(work: () => MaybePromise<Result>) => Promise<Result>;

export function guardSql(sql: Sql, guarded: Guarded): Sql {
  return {
    all: (statement, values) => guarded(() => sql.all(statement, values)),
    first: (statement, values) => guarded(() => sql.first(statement, values)),
    run: (statement, values) => guarded(() => sql.run(statement, values)),
    runMany: (statement, shared, rows) => guarded(() => sql.runMany(statement, shared, rows)),
    preferIndexes() {},
    allowRemoval() {},
    notify() {},
  };
}

export function toInput(value: Value): SQLInputValue {
  if (typeof value === 'boolean') {
    return value ? 1 : 0;
  }
  const isList = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  return isList ? JSON.stringify(value) : value;
}
