import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { inject } from 'vitest';
import { untilTrue } from '../support/patience.ts';

const TEMPLATE = 'guildbook_template';
const OBJECT_IN_USE = '55006';

export interface TestDatabase {
  name: string;
  url: string;
  /** Runs one statement past the store. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  remove(): Promise<void>;
}

/** Addresses of the run's servers. More than one are a cluster: a database is on all of them, and the first is asked. */
let serverUrls: Promise<[string, ...string[]]> | undefined;

/** A database of the caller's own: with an empty store in it, with nothing at all, or a copy of another one. */
export async function createDatabase(
  options: { isEmpty?: boolean; template?: string } = {},
): Promise<TestDatabase> {
  const template = options.template ?? (options.isEmpty === true ? 'template0' : TEMPLATE);
  serverUrls ??= askForServers();
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying the files takes two thirds of the processor time of the default, which writes every page to the WAL.
  const sql = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`;
  await administer(await serverUrls, sql);
  const url = new URL((await serverUrls)[0]);
  url.pathname = name;
  return {
    name,
    url: url.href,
    query: (sql, values) => queryOnce(url.href, sql, values),
    remove: async () => {
      // One after the other: as long as it is on one machine of a cluster, that one may connect to it on the others.
      for (const server of await askForServers()) {
        await untilTrue(() => isDropped(server, name));
      }
    },
  };
}

async function administer(urls: readonly string[], sql: string): Promise<void> {
  await Promise.all(urls.map((url) => queryOnce(url, sql)));
}

/** Of a cluster's database, another machine may have connected between the end of the connections and its own. */
async function isDropped(url: string, name: string): Promise<boolean> {
  try {
    await queryOnce(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === OBJECT_IN_USE) {
      return false;
    }
    throw error;
  }
}

async function queryOnce<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Knocks at the door of the run's set-up, which starts the server for the first who asks. */
async function askForServers(): Promise<[string, ...string[]]> {
  const socket = connect(inject('postgresDoor'));
  const chunks: string[] = [];
  socket.on('data', (chunk) => chunks.push(String(chunk)));
  await once(socket, 'close');
  const answer: { urls?: [string, ...string[]]; error?: string } = JSON.parse(chunks.join(''));
  if (answer.urls === undefined) {
    throw new Error(answer.error);
  }
  return answer.urls;
}
