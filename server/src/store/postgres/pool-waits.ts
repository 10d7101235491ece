import type pg from 'pg';

type OnClient = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** Reports how long callers wait when all connections of a pool are in use. */
export function timeWaits(pool: pg.Pool, onWait: (durationMs: number) => void): void {
  // The driver's types have an overload for each form. `pool.query` uses the one with a callback.
  const connect = pool.connect.bind(pool) as (onClient?: OnClient) => Promise<pg.PoolClient>;
  const timed = (onClient?: OnClient): Promise<pg.PoolClient> => {
    if (pool.totalCount < pool.options.max || pool.waitingCount < pool.idleCount) {
      return connect(onClient);
    }
    const startMs = performance.now();
    const report = () => onWait(performance.now() - startMs);
    if (onClient === undefined) {
      const client = connect();
      client.then(report, report);
      return client;
    }
    return connect((error, client, done) => {
      report();
      onClient(error, client, done);
    });
  };
  pool.connect = timed as pg.Pool['connect'];
}
