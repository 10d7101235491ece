import { realpathSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import { splitUnits, toUnits } from '../ledger/wide-sum.ts';
import type { CopySource, CopyTarget, GuildTotals } from '../operations/copy.ts';
import type { ColumnKind, CopyRow, CopyTable, CopyValue } from '../operations/copy-tables.ts';
import { assertFinished } from '../operations/migrate.ts';
import { assertCurrentStore, isInUse, verifySqliteFile } from './backup.ts';
import { inTransaction, openConnection, prepare } from './connection.ts';
import { COPY_MARK } from './copy-mark.ts';
import { isBusy } from './faults.ts';
import { migrateSqliteFile } from './migrate.ts';
import { readUnfinished } from './schema.ts';

/** Rows read and written per batch. */
const ROWS_PER_BATCH = 5_000;

/** Opens a store to read all of it. Writers wait until it is closed, so that no acknowledged write is missed. */
export function openSqliteSource(file: string): CopySource {
  assertCurrentStore(file);
  const isServed = isInUse(file);
  const db = openConnection(file);
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db.close();
    throw isBusy(error) ? new OperatorError(`${file} is being written to: stop the service first`) : error;
  }
  try {
    assertFinished(readUnfinished(db).length > 0);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    name: `sqlite:${realpathSync(file)}`,
    isInUse: isServed,
    count: async (table) => countRows(db, table),
    read: (table, after) => readBatches(db, table, after),
    totals: async () => readTotals(db),
    close: async () => db.close(),
  };
}

export function openSqliteTarget(file: string): CopyTarget {
  migrateSqliteFile(file, 'create');
  const db = openConnection(file);
  return {
    async findMark() {
      const isThere = prepare<{ name: string }>(db, 'SELECT name FROM sqlite_schema WHERE name = ?').get(
        COPY_MARK,
      );
      return isThere && prepare<{ source: string }>(db, `SELECT source FROM ${COPY_MARK}`).get()?.source;
    },
    async mark(sourceName) {
      inTransaction(db, () => {
        db.exec(`CREATE TABLE ${COPY_MARK} (source TEXT NOT NULL) STRICT`);
        db.prepare(`INSERT INTO ${COPY_MARK} VALUES (?)`).run(sourceName);
      });
    },
    count: async (table) => countRows(db, table),
    findLastKey: async (table) => findLastKey(db, table),
    async write(table, rows) {
      inTransaction(db, () => writeRows(db, table, rows));
    },
    totals: async () => readTotals(db),
    verify: async (onProgress) => verifySqliteFile(file, onProgress),
    async finish() {
      inTransaction(db, () => db.exec(`DROP TABLE ${COPY_MARK}; UPDATE revision SET value = value + 1`));
    },
    close: async () => db.close(),
  };
}

function countRows(db: DatabaseSync, { name }: CopyTable): number {
  return prepare<{ count: number }>(db, `SELECT count(*) AS count FROM ${name}`).get()?.count ?? 0;
}

function findLastKey(db: DatabaseSync, { name, key }: CopyTable): CopyValue[] | undefined {
  const order = key.map((column) => `${column} DESC`).join(', ');
  const row = db.prepare(`SELECT ${key.join(', ')} FROM ${name} ORDER BY ${order} LIMIT 1`).get();
  // Keys are numbers and texts.
  return row && (Object.values(row) as CopyValue[]);
}

/** The names of the columns. A sum has two. */
function columnNames({ columns }: CopyTable): string[] {
  return Object.entries(columns).flatMap(([name, kind]) =>
    kind === 'sum' ? [`${name}_high`, `${name}_low`] : [name],
  );
}

async function* readBatches(
  db: DatabaseSync,
  table: CopyTable,
  after: readonly CopyValue[] | undefined,
): AsyncGenerator<CopyRow[]> {
  const key = table.key.join(', ');
  const behind = after === undefined ? '' : `WHERE (${key}) > (${table.key.map(() => '?').join(', ')})`;
  const rows = db
    .prepare(`SELECT ${columnNames(table).join(', ')} FROM ${table.name} ${behind} ORDER BY ${key}`)
    .iterate(...((after ?? []) as SQLInputValue[]));
  let batch: CopyRow[] = [];
  for (const row of rows) {
    batch.push(toCopyRow(table, row));
    if (batch.length === ROWS_PER_BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

function toCopyRow({ columns }: CopyTable, row: Record<string, unknown>): CopyRow {
  return Object.entries(columns).map(([name, kind]) => {
    if (kind === 'sum') {
      return String(toUnits({ high: Number(row[`${name}_high`]), low: Number(row[`${name}_low`]) }));
    }
    return kind === 'flag' ? row[name] === 1 : (row[name] as CopyValue);
  });
}

function writeRows(db: DatabaseSync, table: CopyTable, rows: readonly CopyRow[]): void {
  const names = columnNames(table);
  const insert = db.prepare(
    `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const kinds = Object.values(table.columns);
  for (const row of rows) {
    insert.run(...row.flatMap((value, index) => toSqlValues(kinds[index], value)));
  }
}

function toSqlValues(kind: ColumnKind | undefined, value: CopyValue): SQLInputValue[] {
  if (kind === 'sum') {
    const { high, low } = splitUnits(BigInt(String(value)));
    return [high, low];
  }
  return [typeof value === 'boolean' ? Number(value) : value];
}

/** Sums with BigInt, because the sums may exceed SQLite's integers. */
function readTotals(db: DatabaseSync): GuildTotals[] {
  const guilds = prepare<{ guildNo: number }>(
    db,
    'SELECT guild_no AS guildNo FROM guild ORDER BY guild_no',
  ).all();
  const accounts = prepare<{ units: number }>(db, 'SELECT balance AS units FROM account WHERE guild_no = ?');
  const totals = prepare<{ units: number }>(
    db,
    'SELECT total AS units FROM ledger_transaction WHERE guild_no = ?',
  );
  return guilds.map(({ guildNo }) => {
    const balances = sumUp(accounts.iterate(guildNo));
    const sums = sumUp(totals.iterate(guildNo));
    return {
      guildNo,
      accounts: balances.count,
      transactions: sums.count,
      balances: balances.sum,
      totals: sums.sum,
    };
  });
}

function sumUp(rows: Iterable<{ units: number }>): { count: number; sum: string } {
  let count = 0;
  let sum = 0n;
  for (const { units } of rows) {
    count += 1;
    sum += BigInt(units);
  }
  return { count, sum: String(sum) };
}
