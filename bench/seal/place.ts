import { statSync } from 'node:fs';
import path from 'node:path';
import { parseDatabaseUrl } from '../../server/src/store/postgres/connection.ts';
import { migratePostgres } from '../../server/src/store/postgres/migrate.ts';
import { openConnection } from '../../server/src/store/sqlite/connection.ts';
import { migrateSqliteFile } from '../../server/src/store/sqlite/migrate.ts';
import { query, startDatabase } from '../jobs/postgres.ts';
import { createFolder } from '../support/processes.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

/** An empty store of the benchmark. */
export interface Place {
  databaseUrl: string;
  execute(sql: string): Promise<void>;
  /** The bytes on disk of the sealed logs. */
  sealBytes(): Promise<number>;
  /** Processor time of the database's own processes in milliseconds. */
  cpuMs(): number;
}

export function createPlace(engine: Engine): Promise<Place> {
  return engine === 'sqlite' ? createSqlitePlace() : createPostgresPlace();
}

async function createSqlitePlace(): Promise<Place> {
  const file = path.join(createFolder(), 'guildbook.db');
  migrateSqliteFile(file);
  return {
    databaseUrl: `sqlite:${file}`,
    cpuMs: () => 0,
    async execute(sql) {
      const db = openConnection(file);
      db.exec(sql);
      db.close();
    },
    async sealBytes() {
      // A copy without the logs shows how much they take.
      const db = openConnection(file);
      const [whole, bare] = ['whole', 'bare'].map((name) => path.join(createFolder(), `${name}.db`));
      db.exec(`VACUUM INTO '${whole}'`);
      db.close();
      const copy = openConnection(whole ?? '');
      copy.exec(`DELETE FROM seal_tile; DELETE FROM seal_log; VACUUM INTO '${bare}'`);
      copy.close();
      return statSync(whole ?? '').size - statSync(bare ?? '').size;
    },
  };
}

async function createPostgresPlace(): Promise<Place> {
  const database = await startDatabase([]);
  await migratePostgres(parseDatabaseUrl(database.url));
  return {
    databaseUrl: database.url,
    cpuMs: database.cpuMs,
    async execute(sql) {
      await query(database.url, sql);
    },
    async sealBytes() {
      const rows = await query(
        database.url,
        `SELECT pg_total_relation_size('seal_tile') + pg_total_relation_size('seal_log') AS bytes`,
      );
      return Number(rows[0]?.bytes);
    },
  };
}

const ACCOUNTS = 1_000;
const FIRST_ACCOUNT = 1_000_000;

/** An expression for the id of row n. */
function idSql(engine: Engine): string {
  return engine === 'sqlite'
    ? `lower(printf('%08x-%04x-7%03x-8%03x-%012x', n, n % 65536, n % 4096, n % 4096, n))`
    : `format('%s-%s-7%s-8%s-%s', lpad(to_hex(n), 8, '0'), lpad(to_hex(n % 65536), 4, '0'), lpad(to_hex(n % 4096), 3, '0'), lpad(to_hex(n % 4096), 3, '0'), lpad(to_hex(n), 12, '0'))`;
}

/**
 * Fills the ledger of a guild as if it were from before sealing. With `spacing` n only every n-th number has a row; the ledger's
 * counters include the others.
 */
export function fillSql(
  engine: Engine,
  { guildNo, rows, spacing = 1 }: { guildNo: number; rows: number; spacing?: number },
): string[] {
  const series = (count: number) =>
    engine === 'sqlite'
      ? `(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}) SELECT n FROM numbers)`
      : `(SELECT generate_series(1, ${count}) AS n)`;
  const first = FIRST_ACCOUNT * guildNo;
  return [
    `INSERT INTO account (guild_no, account_no, player_id, balance, transaction_count, last_created_at)
     SELECT ${guildNo}, ${first} + n, 'old ' || n, 0, 0, 0 FROM ${series(ACCOUNTS)} AS numbers`,
    `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source, balance_after,
       created_at, number)
     SELECT ${guildNo}, ${first} + 1 + (n - 1) % ${ACCOUNTS}, 1 + (n - 1) / ${ACCOUNTS}, ${idSql(engine)}, 10000, 1, 10000,
       'Iron Ingot', 'shop', n, 1700000000000 + n, n * ${spacing} FROM ${series(rows)} AS numbers`,
    `UPDATE guild_ledger SET last_number = ${rows * spacing} WHERE guild_no = ${guildNo}`,
  ];
}
