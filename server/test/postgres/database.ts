import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { inject } from 'vitest';

const TEMPLATE = 'guildbook_template';

export interface TestDatabase {
  name: string;
  url: string;
  /** Runs one statement past the store. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  remove(): Promise<void>;
}

let serverUrl: Promise<string> | undefined;

/** A database of the caller's own: with an empty store in it, with nothing at all, or a copy of another one. */
export async function createDatabase(
  options: { isEmpty?: boolean; template?: string } = {},
): Promise<TestDatabase> {
  const template = options.template ?? (options.isEmpty === true ? 'template0' : TEMPLATE);
  serverUrl ??= askForServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(await serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(await serverUrl);
  url.pathname = name;
  return {
    name,
    url: url.href,
    query: (sql, values) => queryOnce(url.href, sql, values),
    remove: async () => administer(await askForServer(), `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function administer(url: string, sql: string): Promise<void> {
  await queryOnce(url, sql);
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
async function askForServer(): Promise<string> {
  const socket = connect(inject('postgresDoor'));
  const chunks: string[] = [];
  socket.on('data', (chunk) => chunks.push(String(chunk)));
  await once(socket, 'close');
  const answer: { url?: string; error?: string } = JSON.parse(chunks.join(''));
  if (answer.url === undefined) {
    throw new Error(answer.error);
  }
  return answer.url;
}
