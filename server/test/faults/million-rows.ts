import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';

/** UPGRADE_ACCOUNTS=100 makes a tenth of the rows, for a busy machine. */
const ACCOUNTS = Number(process.env.UPGRADE_ACCOUNTS ?? 1_000);
const ROWS_EACH = 1_000;
export const ROWS = ACCOUNTS * ROWS_EACH;
const START_MS = Date.parse('2025-01-01T00:00:00Z');

/** Gives the only guild of a PostgreSQL store a million transactions, numbered from 1. */
export async function fillDatabase(client: pg.Client): Promise<void> {
  await client.query(`INSERT INTO account (guild_no, account_no, player_id, balance, transaction_count, last_created_at)
    SELECT g.guild_no, nextval('account_number'), 'bulk-' || n, ${ROWS_EACH}, ${ROWS_EACH}, ${START_MS} + ${ROWS}
    FROM generate_series(1, ${ACCOUNTS}) AS n, (SELECT guild_no FROM guild LIMIT 1) AS g`);
  await client.query(`INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name,
      source, balance_after, created_at, number)
    SELECT guild_no, account_no, seq, '019a7f4c-52e1-7c3b-9d0e-' || lpad(to_hex(number), 12, '0'), 1, 1, 1, 'Iron Ingot',
      'bulk', seq, ${START_MS} + number, number
    FROM (SELECT guild_no, account_no, seq, row_number() OVER (ORDER BY account_no, seq) AS number
      FROM account, generate_series(1, ${ROWS_EACH}) AS seq WHERE player_id LIKE 'bulk-%') AS numbered`);
  await client.query(`UPDATE guild_ledger SET last_number = ${ROWS}
    WHERE guild_no = (SELECT guild_no FROM guild LIMIT 1)`);
  await client.query('VACUUM ANALYZE ledger_transaction');
}

/** Gives the only guild of an embedded store a million transactions, numbered from 1. */
export function fillFile(db: DatabaseSync): void {
  db.exec(`BEGIN;
    INSERT INTO account (guild_no, player_id, balance, transaction_count, last_created_at)
    SELECT guild_no, 'bulk-' || value, ${ROWS_EACH}, ${ROWS_EACH}, ${START_MS} + ${ROWS}
    FROM json_each('${JSON.stringify(numbersTo(ACCOUNTS))}'), (SELECT guild_no FROM guild LIMIT 1);
    INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
      balance_after, created_at, number)
    SELECT guild_no, account_no, seq, printf('019a7f4c-52e1-7c3b-9d0e-%012x', number), 1, 1, 1, 'Iron Ingot', 'bulk', seq,
      ${START_MS} + number, number
    FROM (SELECT guild_no, account_no, value AS seq, row_number() OVER (ORDER BY account_no, value) AS number
      FROM account, json_each('${JSON.stringify(numbersTo(ROWS_EACH))}') WHERE player_id LIKE 'bulk-%');
    INSERT INTO guild_ledger (guild_no, last_number) SELECT guild_no, ${ROWS} FROM guild WHERE true
    ON CONFLICT (guild_no) DO UPDATE SET last_number = excluded.last_number;
    COMMIT`);
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
