import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { distributePostgres } from '../../src/store/postgres/distribute.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { openDoor, TEMPLATE } from '../postgres/global-setup.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { untilTrue } from '../support/patience.ts';
import { CLUSTER_TEMPLATE, createClusterDatabase, startCluster } from './cluster.ts';

/** One cluster for the whole run, behind the door at which the tests ask for their PostgreSQL server. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return openDoor(project, startWithTemplate);
}

/** An empty store, migrated and distributed once; each test's database is a copy of it on every machine. */
async function startWithTemplate(): Promise<PostgresServer[]> {
  const servers = await startCluster();
  try {
    await createClusterDatabase(servers, CLUSTER_TEMPLATE);
    await createClusterDatabase(servers, TEMPLATE);
    const target = parseDatabaseUrl(servers[0]?.url(TEMPLATE) ?? '');
    await migratePostgres(target);
    await distributePostgres(target, () => {});
    await Promise.all(servers.map((server) => leaveAlone(server, CLUSTER_TEMPLATE)));
    await Promise.all(servers.map((server) => leaveAlone(server, TEMPLATE)));
    return servers;
  } catch (error) {
    await Promise.all(servers.map((server) => server.remove()));
    throw error;
  }
}

/** A database can be copied only while nobody is connected to it, and Citus itself keeps a connection. */
async function leaveAlone(server: PostgresServer, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await untilTrue(async () => {
      const { rowCount } = await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
      return rowCount === 0;
    });
  } finally {
    await client.end();
  }
}
