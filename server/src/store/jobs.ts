import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { Scalar, Snapshot, Sql, Statement, Value } from './sql.ts';

/**
 * A unit of work that an engine runs by its name, because on SQLite another thread runs it: input and result are plain data.
 * A write is refused with a `DomainError` before it has changed anything.
 */
export interface Write<Input, Result> {
  readonly run: (sql: Sql, input: Input) => MaybePromise<Result>;
  /** How PostgreSQL runs it. SQLite runs writes one at a time, and commits those that wait together. */
  readonly on: Lane<Input> | Group<Input, Result> | Once<Input, Result>;
}

/** Runs in a transaction of its own. Writes of the same lane run one at a time, in the order of submission. */
interface Lane<Input> {
  readonly lane: (input: Input) => string;
}

/** Runs all waiting writes in one transaction, so that many writes do not become many commits. */
interface Group<Input, Result> {
  readonly runAll: (sql: Sql, inputs: readonly Input[]) => MaybePromise<readonly Result[]>;
  /** The same in one round trip, for writes without a result. */
  readonly callAll?: (inputs: readonly Input[]) => { statement: Statement<never>; values: readonly Value[] };
}

/** Runs in one round trip, because it is one statement. */
interface Once<Input, Result> {
  readonly call: (input: Input) => { statement: Statement<unknown>; values: readonly Value[] };
  readonly toResult: (row: unknown) => Result;
}

/** A read of many rows. All of its statements see one snapshot, unless it is declared `withoutSnapshot`. */
export interface LongRead<Input, Result> {
  (sql: Sql, input: Input): MaybePromise<Result>;
  readonly needsNoSnapshot?: boolean;
}

/** A long read of one statement, or of rows that never change. It saves PostgreSQL two round trips. */
export function withoutSnapshot<Input, Result>(
  read: (sql: Sql, input: Input) => MaybePromise<Result>,
): LongRead<Input, Result> {
  return Object.assign((sql: Sql, input: Input) => read(sql, input), { needsNoSnapshot: true });
}

// `never` accepts every input; the type of each job says which one it takes.
export type WriteSet = Record<string, Write<never, unknown>>;
export type LongReadSet = Record<string, LongRead<never, unknown>>;

type InputOf<Job> = Job extends { run: (sql: Sql, input: infer Input) => unknown } ? Input : never;
type ResultOf<Job> = Job extends { run: (...given: never[]) => infer Result } ? Awaited<Result> : never;

/** Runs a write in one transaction. Resolves when it is on disk. */
export type RunWrite<Writes extends WriteSet> = <Name extends keyof Writes>(
  name: Name,
  input: InputOf<Writes[Name]>,
) => Promise<ResultOf<Writes[Name]>>;

/**
 * Runs a read of many rows. `rows` estimates how many it visits: SQLite calls it to choose the thread, and PostgreSQL does not
 * call it.
 */
export type RunLongRead<Reads extends LongReadSet> = <Name extends keyof Reads>(
  name: Name,
  input: Parameters<Reads[Name]>[1],
  rows: () => MaybePromise<number>,
) => Promise<Awaited<ReturnType<Reads[Name]>>>;

export interface RowsToStream<Row, Item> {
  statement: Statement<Row>;
  values: readonly Scalar[];
  /** Filters rows in the process: a filter in SQL could skip any number of rows at once and delay everything else. */
  isWanted?: (row: Row) => boolean;
  convert: (row: Row) => Item;
}

/** Guilds whose rows are on the same server. */
export interface ServerGuilds {
  readonly guildNos: readonly number[];
  /** False while the server is known not to answer. */
  readonly isUp: boolean;
}

/** Divides guilds by the server that has their rows. */
export type DivideByServer = (guildNos: readonly number[]) => readonly ServerGuilds[];

/** For a store on one server. */
export const onOneServer: DivideByServer = (guildNos) => [{ guildNos, isUp: true }];

/** Runs the statements and jobs of stored features on a database. */
export interface Engine<
  Writes extends WriteSet = Record<never, never>,
  Reads extends LongReadSet = Record<never, never>,
> {
  /** Runs single statements outside of any transaction. */
  readonly read: Sql;
  /** Like `read`, for the most frequent reads: SQLite returns the result without a promise. */
  readonly readNow: Sql;
  /**
   * Like `read`, for pages, exports and feeds: a replica may answer. The result reflects every commit acknowledged
   * before the call, too.
   */
  readonly readAside: Sql;
  /** A read of several guilds fails while one of their servers is down, so callers read those of each server separately. */
  readonly divideByServer: DivideByServer;
  readonly inSnapshot: Snapshot;
  /** Streams any number of rows in constant memory, all from one snapshot. */
  readonly stream: <Row extends object, Item>(rows: RowsToStream<Row, Item>) => AsyncGenerator<Item>;
  readonly readLong: RunLongRead<Reads>;
  readonly write: RunWrite<Writes>;
}

/** A write in the lane of its guild: the audited writes of one guild run one at a time. */
export function inGuildLane<Input extends { guildNo: number }, Result>(
  run: Write<Input, Result>['run'],
): Write<Input, Result> {
  return inLane(({ guildNo }) => `guild ${guildNo}`, run);
}

export function inLane<Input, Result>(
  lane: (input: Input) => string,
  run: Write<Input, Result>['run'],
): Write<Input, Result> {
  return { run, on: { lane } };
}

/**
 * A write that PostgreSQL runs together with all waiting writes of its kind. Results are in the order of the inputs.
 */
export function inGroup<Input, Result>(
  runAll: Group<Input, Result>['runAll'],
  callAll?: Group<Input, Result>['callAll'],
): Write<Input, Result> {
  return {
    async run(sql, input) {
      const [result] = await runAll(sql, [input]);
      // One input has one result.
      return result as Result;
    },
    on: callAll === undefined ? { runAll } : { runAll, callAll },
  };
}

/**
 * A write of one statement, which the input may choose. `toResult` gets the row that the statement returns, if any.
 */
export function inOneStatement<Input, Row, Result>(
  statement: Statement<Row> | ((input: Input) => Statement<Row>),
  values: (input: Input) => readonly Value[],
  toResult: (row: Row | undefined) => Result,
): Write<Input, Result> {
  const choose = typeof statement === 'function' ? statement : () => statement;
  return {
    run: async (sql, input) => toResult(await sql.first(choose(input), values(input))),
    // `toResult` gets only rows of this statement.
    on: {
      call: (input) => ({ statement: choose(input), values: values(input) }),
      toResult: toResult as (row: unknown) => Result,
    },
  };
}

/** The writes of a set as functions of their input, for the thread that runs them. */
export type JobFunctions<Writes extends WriteSet> = {
  [Name in keyof Writes]: (input: InputOf<Writes[Name]>) => MaybePromise<ResultOf<Writes[Name]>>;
};

export function jobFunctions<Writes extends WriteSet>(writes: Writes, sql: Sql): JobFunctions<Writes> {
  const entries = Object.entries(writes).map(([name, { run }]) => [name, (input: never) => run(sql, input)]);
  // Every name has the function of its job.
  return Object.fromEntries(entries) as JobFunctions<Writes>;
}

/** The long reads of a set as functions of their input. Each runs in a snapshot. */
export type ReadFunctions<Reads extends LongReadSet> = {
  [Name in keyof Reads]: (input: Parameters<Reads[Name]>[1]) => Promise<Awaited<ReturnType<Reads[Name]>>>;
};

export function readFunctions<Reads extends LongReadSet>(
  reads: Reads,
  inSnapshot: Snapshot,
): ReadFunctions<Reads> {
  const entries = Object.entries(reads).map(([name, run]) => [
    name,
    (input: never) => inSnapshot((sql) => run(sql, input)),
  ]);
  // Every name has the function of its job.
  return Object.fromEntries(entries) as ReadFunctions<Reads>;
}
