import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SORT_KEYS, SORT_ORDERS } from '../../src/domain/model.ts';
import { POSTGRES } from '../../src/store/dialect.ts';
import { pageSql, rangeSql } from '../../src/store/ledger/listing-sql.ts';
import { LISTED } from '../../src/store/ledger/row-form.ts';
import { lookupSql } from '../../src/store/people/verifications.ts';
import { DIALECT } from '../../src/store/postgres/account-parts.ts';
import { NEWEST, OLDEST_TRANSACTION } from '../../src/store/postgres/figures.ts';
import { textOf } from '../../src/store/sql.ts';
import { aQuery } from '../contract/specimens.ts';
import { createDatabase, type TestDatabase } from './database.ts';

const ROWS = 40_000;
const PEOPLE = 25_000;

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    INSERT INTO guild VALUES (1, 'g', 'G', NULL, NULL, 'none', NULL, true, 0);
    INSERT INTO account SELECT 1, n, 'p' || n, 0, ${ROWS / 10}, 0 FROM generate_series(1, 10) n;
    INSERT INTO ledger_transaction
      SELECT 1, 1 + n % 10, 1 + n / 10, 'id ' || n, 1 + n % 977, 1 + n % 7, (1 + n % 977) * (1 + n % 7), 'Iron',
        'source ' || n % 20, 0, NULL, 1000 * n, NULL, 1 + n
      FROM generate_series(0, ${ROWS - 1}) n;
    INSERT INTO verification SELECT 'c' || n, 'p' || n, 'N' || n, 'n' || n % 20000, n
      FROM generate_series(1, ${PEOPLE}) n;
    INSERT INTO past_user SELECT 'c' || n, position, 'q' || n % 20000 || '-' || position, 'Q' || n, 'q' || n % 20000
      FROM generate_series(1, ${PEOPLE}) n, generate_series(0, 1) position`);
  // The statistics must be those of this moment: the server's own round would gather others at any time.
  await client.query('ALTER TABLE ledger_transaction SET (autovacuum_enabled = false)');
  await client.query('VACUUM ANALYZE');
  // The server may choose generic plans after it has run a statement a few times.
  await client.query('SET plan_cache_mode = force_generic_plan');
});
afterAll(async () => {
  await client.end();
  await database.remove();
});

async function planOf(sql: string, values: readonly unknown[]): Promise<string> {
  await client.query(`PREPARE shown AS ${sql}`);
  const given = values.map((value) => `'${String(value)}'`).join(', ');
  const call = values.length === 0 ? 'shown' : `shown (${given})`;
  const { rows } = await client.query(`EXPLAIN EXECUTE ${call}`);
  await client.query('DEALLOCATE shown');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('a page of an account', () => {
  it.each(SORT_ORDERS)('by creation time is a range of the primary key, %s', async (sortOrder) => {
    const plan = await planOf(rangeSql(DIALECT, sortOrder, LISTED), [1, 3, 100, 119]);
    expect(plan).toMatch(/Index Scan (Backward )?using ledger_transaction_pkey on ledger_transaction t/);
    expect(plan).not.toContain('Sort');
  });

  const sorted = SORT_KEYS.filter((sortBy) => sortBy !== 'createdAt');
  it.each(sorted.flatMap((sortBy) => SORT_ORDERS.map((sortOrder) => [sortBy, sortOrder] as const)))(
    'by %s, %s, comes from its index and touches no row that is skipped',
    async (sortBy, sortOrder) => {
      const sql = pageSql(DIALECT, aQuery({ sortBy, sortOrder }), LISTED);
      const plan = await planOf(sql, [1, 3, 4_000, 20, 1_000, 1, 3]);
      expect(plan).toMatch(
        new RegExp(`Index Only Scan (Backward )?using ledger_by_${sortBy} on ledger_transaction`),
      );
      expect(plan).not.toContain('Seq Scan');
      // The first hundred rows come from the primary key and are sorted; both parts are merged.
      expect(plan).toMatch(/Merge Append/);
      expect(plan).toMatch(/Index Scan using ledger_transaction_pkey on ledger_transaction\b/);
    },
  );

  it.each(sorted)(
    'by %s comes from its index although the statistics take every account for a short one',
    async (sortBy) => {
      // As if accounts had nothing to do with guilds, each account of one of many guilds seems to have a row or two.
      await client.query(`BEGIN; UPDATE pg_statistic SET stadistinct = 5000 WHERE starelid = 'ledger_transaction'::regclass
        AND staattnum IN (SELECT attnum FROM pg_attribute WHERE attrelid = 'ledger_transaction'::regclass
          AND attname IN ('guild_no', 'account_no'))`);
      try {
        const sql = pageSql(DIALECT, aQuery({ sortBy, sortOrder: 'desc' }), LISTED);
        const plan = await planOf(sql, [1, 3, 4_000, 20, 1_000, 1, 3]);
        expect(plan).toContain(`Index Only Scan Backward using ledger_by_${sortBy} on ledger_transaction`);
        expect(plan).toMatch(/Index Cond: \(\(guild_no = .*\) AND \(account_no = .*\) AND \(seq = /);
      } finally {
        await client.query('ROLLBACK');
      }
    },
  );
});

describe('the figures for operators', () => {
  it('read the end of an index for each guild, and one transaction for each endpoint', async () => {
    const newest = await planOf(textOf(NEWEST, POSTGRES), []);
    expect(newest).toContain('Index Only Scan Backward using ledger_by_time on ledger_transaction');
    const oldest = await planOf(textOf(OLDEST_TRANSACTION, POSTGRES), ['{1}', '{7}']);
    expect(oldest).toContain('Index Scan using ledger_by_number on ledger_transaction');
    expect(newest + oldest).not.toContain('Seq Scan on ledger_transaction');
  });
});

describe('a person', () => {
  it('is looked up by all kinds of value in one statement, each of them from its index', async () => {
    const kinds = ['chat', 'player', 'name', 'past_player', 'past_name'] as const;
    const sql = lookupSql(kinds, POSTGRES);
    const plan = await planOf(
      sql,
      kinds.map((kind) => `no ${kind}`),
    );
    for (const index of [
      'verification_pkey on verification v',
      'verification_pkey on verification w',
      'verification_by_player on verification w',
      'verification_by_name',
      'past_user_by_player',
      'past_user_by_name',
      'past_user_pkey',
    ]) {
      expect(plan).toContain(index);
    }
    expect(plan).not.toContain('Seq Scan');
  });
});
