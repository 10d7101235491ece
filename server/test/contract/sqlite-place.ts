import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { AccountRow, StorePlace, TransactionRow } from './store-place.ts';

/** One SQLite file in a folder of its own. */
export async function createSqlitePlace(): Promise<StorePlace> {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-test-'));
  const file = path.join(folder, 'guildbook.db');
  return {
    open: () =>
      openSqliteStore({
        file,
        onFatal(error) {
          throw error;
        },
      }),
    readLedger: async () => readLedger(file),
    noticedWithinMs: 0,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readLedger(file: string): { accounts: AccountRow[]; transactions: TransactionRow[] } {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const accounts = db.prepare(
      `SELECT guild_no AS guildNo, player_id AS playerId, balance AS balanceUnits, transaction_count AS count
       FROM account`,
    );
    const transactions = db.prepare(
      `SELECT t.guild_no AS guildNo, a.player_id AS playerId, t.seq, t.transaction_id AS transactionId,
         t.total AS totalUnits, t.balance_after AS balanceAfterUnits, t.created_at AS createdAtMs
       FROM ledger_transaction t JOIN account a ON a.account_no = t.account_no AND a.guild_no = t.guild_no`,
    );
    // The rows have the shape that the statements select.
    return {
      accounts: accounts.all() as unknown as AccountRow[],
      transactions: transactions.all() as unknown as TransactionRow[],
    };
  } finally {
    db.close();
  }
}
