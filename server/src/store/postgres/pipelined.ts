import type pg from 'pg';
import { type Database, openPool, type PoolName, releaseAfter } from './connection.ts';
import { faultKind } from './faults.ts';
import { createRunner, type Statement, type Value } from './statement.ts';

/** Connections that send statements without waiting for the results of earlier ones. */
export interface Pipelines {
  readonly lines: number;
  /** Runs a statement after those sent earlier on the same line. Each is a transaction of its own. */
  first<Row>(line: number, statement: Statement<Row>, values: readonly Value[]): Promise<Row | undefined>;
  /** Lines that wait for a connection. */
  waiting(): number;
  close(): Promise<void>;
}

interface Line {
  client: Promise<pg.PoolClient>;
  statements: number;
  /** The error that broke the connection. */
  brokenBy: unknown;
}

/**
 * Each line borrows a connection while it has pending statements. A connection that may be broken is ended and
 * replaced.
 */
export function createPipelines(database: Database, lines: number, name: PoolName = 'post'): Pipelines {
  const pool = openPool({ ...database, connections: lines }, { pipeline: true }, name);
  const isNamed = !database.isPooled;
  const open = new Map<number, Line>();

  function borrow(number: number): Line {
    const line = open.get(number) ?? { client: pool.connect(), statements: 0, brokenBy: undefined };
    open.set(number, line);
    line.statements += 1;
    return line;
  }

  async function giveBack(number: number, line: Line): Promise<void> {
    line.statements -= 1;
    if (open.get(number) === line && (line.brokenBy !== undefined || line.statements === 0)) {
      open.delete(number);
    }
    if (line.statements === 0) {
      await line.client.then(
        (client) => releaseAfter(client, line.brokenBy),
        () => {},
      );
    }
  }

  return {
    lines,
    async first(number, statement, values) {
      database.health?.assertUp();
      const line = borrow(number);
      try {
        const client = await line.client;
        return await createRunner((query) => client.query(query), isNamed).first(statement, values);
      } catch (error) {
        if (faultKind(error) === 'passing') {
          line.brokenBy ??= error;
        }
        throw error;
      } finally {
        await giveBack(number, line);
      }
    },
    waiting: () => pool.waitingCount,
    close: () => pool.end(),
  };
}
