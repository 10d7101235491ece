import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createPostgresServer, findPrograms, type PostgresServer } from '../postgres/server.ts';
import { findSparePort } from '../support/spare-port.ts';

const MISSING = `the tests need Citus 13 for the PostgreSQL server in use, and there is none.
Citus is no package of Debian. Install it from the repository of its makers (postgresql-15-citus-13.2), or build it:
get the tag v13.2.2 of github.com/citusdata/citus, install postgresql-server-dev-15, then ./configure && make install.`;

const WORKERS = 2;

/** A database on every machine, with nothing in it. */
export const CLUSTER_TEMPLATE = 'guildbook_cluster';

/** Settings of every machine of a cluster. */
export const NODE_SETTINGS = [
  'shared_preload_libraries=citus',
  'citus.node_conninfo=sslmode=disable',
  // Few, because every database of a test has them all.
  'citus.shard_count=4',
  'max_worker_processes=100',
  'max_prepared_transactions=200',
  'wal_level=logical',
];

/**
 * A coordinator and its workers, which reach one another on the loopback address. The coordinator is the first. `settings` come after
 * those of every machine, so that they win.
 */
export async function startCluster(settings: readonly string[] = []): Promise<PostgresServer[]> {
  assertExtension();
  const ports = await Promise.all(Array.from({ length: WORKERS + 1 }, () => findSparePort()));
  return Promise.all(
    ports.map((port) => createPostgresServer({ port, settings: [...NODE_SETTINGS, ...settings] })),
  );
}

/** Makes a database on every machine and adds the workers' databases to the coordinator's. */
export async function createClusterDatabase(servers: readonly PostgresServer[], name: string): Promise<void> {
  const [coordinator, ...workers] = servers;
  if (coordinator === undefined) {
    throw new Error('a cluster has a coordinator');
  }
  for (const server of servers) {
    await run(server.url('postgres'), [`CREATE DATABASE ${name}`]);
    await run(server.url(name), ['CREATE EXTENSION citus']);
  }
  await run(coordinator.url(name), [
    `SELECT citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`,
    ...workers.map((worker) => `SELECT citus_add_node('127.0.0.1', ${portOf(worker)})`),
  ]);
}

export async function run(url: string, statements: readonly string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const results: pg.QueryResult[] = [];
  try {
    for (const statement of statements) {
      results.push(await client.query(statement));
    }
    return results;
  } finally {
    await client.end();
  }
}

export function portOf(server: PostgresServer): string {
  return new URL(server.url('postgres')).port;
}

function assertExtension(): void {
  const folder = execFileSync(path.join(findPrograms(), 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
  if (!existsSync(path.join(folder.trim(), 'extension', 'citus.control'))) {
    throw new Error(MISSING);
  }
}
