import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { untilTrue } from '../support/patience.ts';
import { COMPILE_CACHE } from '../support/program.ts';
import { createPostgresServer, type PostgresServer } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A socket that answers with the address of the tests' PostgreSQL server. */
    postgresDoor: string;
  }
}

export const TEMPLATE = 'guildbook_template';

/**
 * One PostgreSQL server for the whole run. It starts when the first test file asks for it at this door, so that a run
 * without such files does without; and it ends with the run.
 */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return openDoor(project, async () => [await startWithTemplate()]);
}

/** Starts servers for the first who asks, and ends them with the run. Each has the template of the tests' databases. */
export async function openDoor(
  project: TestProject,
  startServers: () => Promise<PostgresServer[]>,
): Promise<() => Promise<void>> {
  // The test processes inherit it, and so do the threads of each store that a test opens. Without it every one of them
  // would compile its TypeScript anew, which takes four times as long as opening the store.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-pg-door-'));
  const socket = path.join(folder, 'socket');
  let starting: Promise<PostgresServer[]> | undefined;
  const door = createServer((visitor) => {
    visitor.on('error', () => {});
    starting ??= startServers();
    starting.then(
      (servers) => visitor.end(JSON.stringify({ urls: servers.map(({ url }) => url('postgres')) })),
      (error) => visitor.end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => door.listen(socket, resolve));
  project.provide('postgresDoor', socket);
  return async () => {
    door.close();
    rmSync(folder, { recursive: true, force: true });
    const servers = await starting?.catch(() => []);
    await Promise.all((servers ?? []).map((server) => server.remove()));
  };
}

/** An empty store, migrated once; each test's database is a copy of it. */
async function startWithTemplate(): Promise<PostgresServer> {
  const server = await createPostgresServer();
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await migratePostgres(parseDatabaseUrl(server.url(TEMPLATE)));
  // A database can be copied only while nobody is connected to it, and the server takes its time to end a connection.
  const isInUse = async () =>
    (await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [TEMPLATE])).rowCount !== 0;
  await untilTrue(async () => !(await isInUse()));
  await client.end();
  return server;
}
