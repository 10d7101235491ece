import type pg from 'pg';
import { OperatorError } from '../../domain/errors.ts';
import { APPLICATION_NAME, assertServer, type Database, openClient } from './connection.ts';
import { assertNoCopyUnderWay } from './copy-mark.ts';
import { assertMigrated } from './migrate.ts';
import { type SpreadProgress, spreadTables } from './spread-tables.ts';
import { lockWritersOut } from './transactions.ts';

const UNLIMITED = {
  application_name: `${APPLICATION_NAME} distribute`,
  query_timeout: 0,
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/**
 * Distributes the tables of a store by guild over the nodes of a Citus cluster. Tables that are distributed already
 * stay as they are, so another run finishes one that was interrupted.
 */
export async function distributePostgres(database: Database, onProgress: SpreadProgress): Promise<void> {
  await assertServer(database);
  const guard = await openClient(database, UNLIMITED);
  const client = await openClient(database, UNLIMITED).catch(async (error) => {
    await guard.end();
    throw error;
  });
  try {
    await assertCluster(client);
    await assertMigrated(client);
    await assertNoCopyUnderWay(database);
    await assertNotServed(client);
    // Other writers wait for this lock. Instances that start meanwhile find the table SPREAD_MARK and refuse to
    // serve.
    await guard.query(lockWritersOut({ isDistributed: false }));
    await spreadTables(client, onProgress);
  } finally {
    await Promise.all([guard.end(), client.end()]);
  }
}

/** Refuses a server that is not a Citus coordinator with workers. The error says what is missing. */
async function assertCluster(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; installed: string | null }>(
    `SELECT name, installed_version AS installed FROM pg_available_extensions WHERE name = 'citus'`,
  );
  const [citus] = rows;
  if (citus === undefined) {
    throw new OperatorError(
      'the server is plain PostgreSQL, which keeps all tables on one machine: distributing them takes Citus 13',
    );
  }
  if (citus.installed === null) {
    throw new OperatorError('the database does not use Citus yet: run "CREATE EXTENSION citus" in it first');
  }
  const { rows: nodes } = await client.query<{ coordinators: number; workers: number; isHere: boolean }>(
    `SELECT count(*) FILTER (WHERE groupid = 0) AS coordinators,
       count(*) FILTER (WHERE groupid <> 0 AND shouldhaveshards AND isactive) AS workers,
       (SELECT groupid = 0 FROM pg_dist_local_group) AS "isHere" FROM pg_dist_node`,
  );
  const { coordinators = 0, workers = 0, isHere = false } = nodes[0] ?? {};
  if (!isHere) {
    throw new OperatorError('this is a worker of the cluster: give the address of its coordinator');
  }
  if (coordinators === 0) {
    throw new OperatorError(
      `the coordinator does not know its own address: run "SELECT citus_set_coordinator_host('name', 5432)"`,
    );
  }
  if (workers === 0) {
    throw new OperatorError(
      `the cluster has no workers: run "SELECT citus_add_node('name', 5432)" for each of them`,
    );
  }
  await assertDurable(client);
}

/**
 * Refuses a cluster with fsync off on any node: every node has a part of the ledger and must not lose acknowledged
 * posts.
 */
async function assertDurable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ host: string }>(
    `SELECT n.nodename || ':' || n.nodeport AS host
     FROM run_command_on_all_nodes('SHOW fsync') AS r JOIN pg_dist_node AS n USING (nodeid)
     WHERE NOT r.success OR r.result <> 'on'`,
  );
  if (rows.length > 0) {
    const hosts = rows.map(({ host }) => host).join(', ');
    throw new OperatorError(`fsync is off and would lose acknowledged posts on ${hosts}: turn it on`);
  }
}

async function assertNotServed(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 LIMIT 1',
    [APPLICATION_NAME],
  );
  if (rowCount !== 0) {
    throw new OperatorError(
      'the store is being served: stop all instances first, they look at it when they start',
    );
  }
}
