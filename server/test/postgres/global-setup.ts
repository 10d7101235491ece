import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readTarget } from '../../src/store/postgres/connection.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
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
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const socket = path.join(tmpdir(), `guildbook-pg-${process.pid}.sock`);
  let starting: Promise<PostgresServer> | undefined;
  const door = createServer((visitor) => {
    visitor.on('error', () => {});
    starting ??= startWithTemplate();
    starting.then(
      (server) => visitor.end(JSON.stringify({ url: server.url('postgres') })),
      (error) => visitor.end(JSON.stringify({ error: String(error) })),
    );
  });
  rmSync(socket, { force: true });
  await new Promise<void>((resolve) => door.listen(socket, resolve));
  project.provide('postgresDoor', socket);
  return async () => {
    door.close();
    const server = await starting?.catch(() => undefined);
    await server?.remove();
  };
}

/** An empty store, migrated once; each test's database is a copy of it. */
async function startWithTemplate(): Promise<PostgresServer> {
  const server = await createPostgresServer();
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  await migratePostgres(readTarget(server.url(TEMPLATE)));
  return server;
}
