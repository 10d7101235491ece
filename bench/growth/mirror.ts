import path from 'node:path';
import { findPrograms } from '../../server/test/postgres/server.ts';
import { query } from '../jobs/postgres.ts';
import { runToEnd } from '../support/processes.ts';

/** The tables that an import and posts write to. */
const TABLES = [
  'account',
  'ledger_transaction',
  'ledger_extra',
  'idempotency',
  'guild_ledger',
  'guild_day',
  'guild_day_source',
];
const MIRROR_WAIT_MS = 3_600_000;
/** The rows were checked where they come from, and triggers would refuse to remove the old ones. */
const WITHOUT_TRIGGERS = '-c session_replication_role=replica';

/**
 * Gives a store the ledger of another one, whose schema may be another: all rows in the order in which they were inserted, with
 * the columns that both have. The indexes grow row by row, as they do by posts.
 */
export async function mirrorLedger(from: string, to: string): Promise<void> {
  await runPsql(to, `TRUNCATE ${TABLES.join(', ')}`);
  const theirs = await readColumns(to);
  for (const [table, columns] of await readColumns(from)) {
    const shared = columns.filter((column) => theirs.get(table)?.includes(column) === true).join(', ');
    await copyTable(`${table} (${shared})`, { from, to });
  }
  await query(to, `SELECT setval('account_number', (SELECT max(account_no) FROM account))`);
}

async function readColumns(url: string): Promise<Map<string, string[]>> {
  const rows = await query(
    url,
    `SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name IN (${TABLES.map((name) => `'${name}'`).join(', ')})
       AND is_generated = 'NEVER' GROUP BY 1`,
  );
  return new Map(rows.map(({ name, columns }) => [String(name), columns as string[]]));
}

async function copyTable(what: string, { from, to }: { from: string; to: string }): Promise<void> {
  const script = `set -e; "$PSQL" -qXd "$FROM" -c "COPY ${what} TO STDOUT (FORMAT binary)" |
    PGOPTIONS="${WITHOUT_TRIGGERS}" "$PSQL" -qXd "$TO" -v ON_ERROR_STOP=1 -c "COPY ${what} FROM STDIN (FORMAT binary)"`;
  await runToEnd('sh', ['-c', script], {
    env: { ...process.env, PSQL: path.join(findPrograms(), 'psql'), FROM: from, TO: to },
    timeout: MIRROR_WAIT_MS,
  });
}

async function runPsql(url: string, sql: string): Promise<void> {
  await runToEnd(path.join(findPrograms(), 'psql'), ['-qXd', url, '-v', 'ON_ERROR_STOP=1', '-c', sql], {
    env: { ...process.env, PGOPTIONS: WITHOUT_TRIGGERS },
  });
}
