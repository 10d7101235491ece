import type pg from 'pg';
import { OperatorError } from '../../domain/errors.ts';
import type { CopySource, CopyTarget, GuildTotals } from '../operations/copy.ts';
import type { ColumnKind, CopyRow, CopyTable, CopyValue } from '../operations/copy-tables.ts';
import { APPLICATION_NAME, assertServer, type Database, openClient } from './connection.ts';
import { COPY_MARK } from './copy-mark.ts';
import { readDistribution } from './distribution.ts';
import { faultKind } from './faults.ts';
import { assertUpgraded, migratePostgres } from './migrate.ts';
import { beginReading, fetchRows } from './read-rows.ts';
import { lockWritersOut } from './transactions.ts';
import { verifyPostgres } from './verify.ts';

/** Rows read per batch. */
const ROWS_PER_BATCH = 5_000;

const UNLIMITED = {
  application_name: `${APPLICATION_NAME} copy`,
  query_timeout: 0,
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/** Opens a store to read all of it. Writers wait until it is closed, so that no acknowledged write is missed. */
export async function openPostgresSource(database: Database): Promise<CopySource> {
  await assertServer(database);
  // The lock comes first, on its own connection, so that the reader's snapshot contains everything committed before
  // it.
  const guard = await openClient(database, UNLIMITED);
  const reader = await openClient(database, UNLIMITED).catch(async (error) => {
    await guard.end();
    throw error;
  });
  const close = async () => void (await Promise.all([guard.end(), reader.end()]));
  let isInUse: boolean;
  try {
    await assertUpgraded(reader);
    isInUse = await isServed(reader);
    await guard.query(lockWritersOut(await readDistribution(database)));
    await beginReading(reader);
  } catch (error) {
    await close();
    throw faultKind(error) === 'passing'
      ? new OperatorError('the source is being written to: stop the service first', { cause: error })
      : error;
  }
  return {
    name: nameOf(database),
    isInUse,
    count: (table) => countRows(reader, table),
    read: (table, after) => readBatches(reader, table, after),
    totals: () => readTotals(reader),
    close,
  };
}

export async function openPostgresTarget(database: Database): Promise<CopyTarget> {
  await assertServer(database);
  await migratePostgres(database, 'create');
  const client = await openClient(database, UNLIMITED);
  return {
    async findMark() {
      const isThere = await client.query(`SELECT to_regclass('${COPY_MARK}') IS NOT NULL AS "isThere"`);
      return isThere.rows[0]?.isThere === true
        ? (await client.query<{ source: string }>(`SELECT source FROM ${COPY_MARK}`)).rows[0]?.source
        : undefined;
    },
    async mark(sourceName) {
      await client.query(`CREATE TABLE ${COPY_MARK} AS SELECT $1::text AS source`, [sourceName]);
    },
    count: (table) => countRows(client, table),
    findLastKey: (table) => findLastKey(client, table),
    write: (table, rows) => writeRows(client, table, rows),
    totals: () => readTotals(client),
    // The check includes the audit counters, so they are set first.
    async verify(onProgress) {
      await client.query(COUNT_AUDIT);
      return verifyPostgres(database, onProgress);
    },
    async finish() {
      await client.query(
        `BEGIN; ${COUNT_ON}; ${OPEN_LEDGERS}; UPDATE revision SET value = value + 1; DROP TABLE ${COPY_MARK}; COMMIT`,
      );
    },
    close: () => client.end(),
  };
}

/**
 * True when an instance serves the store. Instances name their connections, and each keeps at least one open, even
 * without requests.
 */
async function isServed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
       AND application_name = $1) AS "isThere"`,
    [APPLICATION_NAME],
  );
  return rows[0]?.isThere === true;
}

/** The address without user and password. */
function nameOf({ url }: Database): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  return `postgres://${searchParams.get('host') ?? `${hostname}:${port === '' ? 5432 : port}`}${pathname}`;
}

const COUNT_AUDIT = `INSERT INTO audit_counter (guild_no, last_entry_no)
  SELECT guild_no, coalesce(max(entry_no), 0) FROM (SELECT guild_no, NULL::bigint AS entry_no FROM guild
    UNION ALL SELECT guild_no, entry_no FROM audit_entry) AS entries GROUP BY guild_no
  ON CONFLICT (guild_no) DO UPDATE SET last_entry_no = excluded.last_entry_no`;

const OPEN_LEDGERS =
  'INSERT INTO guild_ledger (guild_no) SELECT guild_no FROM guild ORDER BY guild_no ON CONFLICT (guild_no) DO NOTHING';

/** Sets each sequence to the number after the largest one in its table, or to 1 for an empty table. */
const COUNT_ON = [
  ['guild', 'guild_no', `pg_get_serial_sequence('guild', 'guild_no')`],
  ['api_key', 'key_no', `pg_get_serial_sequence('api_key', 'key_no')`],
  ['account', 'account_no', `'account_number'`],
]
  .map(
    ([table, column, sequence]) =>
      `SELECT setval(${sequence}, coalesce(max(${column}), 0) + 1, false) FROM ${table}`,
  )
  .join('; ');

async function countRows(client: pg.Client, { name }: CopyTable): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*) AS count FROM ${name}`);
  return rows[0]?.count ?? 0;
}

async function findLastKey(client: pg.Client, { name, key }: CopyTable): Promise<CopyValue[] | undefined> {
  const order = key.map((column) => `${column} DESC`).join(', ');
  const { rows } = await client.query(`SELECT ${key.join(', ')} FROM ${name} ORDER BY ${order} LIMIT 1`);
  return rows[0] && Object.values(rows[0]);
}

function columnName([name, kind]: [string, ColumnKind]): string {
  return kind === 'sum' ? `${name}_units` : name;
}

async function* readBatches(
  client: pg.Client,
  table: CopyTable,
  after: readonly CopyValue[] | undefined,
): AsyncGenerator<CopyRow[]> {
  const key = table.key.join(', ');
  const behind =
    after === undefined
      ? ''
      : `WHERE (${key}) > (${table.key.map((_, index) => `$${index + 1}`).join(', ')})`;
  const names = Object.entries(table.columns).map(columnName).join(', ');
  const sql = `SELECT ${names} FROM ${table.name} ${behind} ORDER BY ${key}`;
  let batch: CopyRow[] = [];
  for await (const row of fetchRows<Record<string, CopyValue>>(client, sql, after ?? [])) {
    batch.push(Object.values(row));
    if (batch.length === ROWS_PER_BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

const ARRAYS: Record<ColumnKind, string> = {
  number: 'bigint[]',
  text: 'text[]',
  flag: 'boolean[]',
  sum: 'numeric[]',
  bytes: 'bytea[]',
};

async function writeRows(client: pg.Client, table: CopyTable, rows: readonly CopyRow[]): Promise<void> {
  const columns = Object.entries(table.columns);
  const lists = columns.map(([, kind], index) => `$${index + 1}::${ARRAYS[kind]}`);
  await client.query(
    `INSERT INTO ${table.name} (${columns.map(columnName).join(', ')}) SELECT * FROM unnest(${lists.join(', ')})`,
    columns.map((_, index) => rows.map((row) => row[index])),
  );
}

async function readTotals(client: pg.Client): Promise<GuildTotals[]> {
  const { rows } = await client.query<GuildTotals>(
    `SELECT g.guild_no AS "guildNo", coalesce(a.count, 0) AS accounts, coalesce(t.count, 0) AS transactions,
       coalesce(a.sum, 0)::text AS balances, coalesce(t.sum, 0)::text AS totals
     FROM guild g
     LEFT JOIN (SELECT guild_no, count(*) AS count, sum(balance) AS sum FROM account GROUP BY 1) AS a USING (guild_no)
     LEFT JOIN (SELECT guild_no, count(*) AS count, sum(total) AS sum FROM ledger_transaction GROUP BY 1) AS t
       USING (guild_no)
     ORDER BY g.guild_no`,
  );
  return rows;
}
