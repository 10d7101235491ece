import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { createDatabase } from '../postgres/database.ts';
import type { AccountRow, StorePlace, TransactionRow } from './store-place.ts';

/** A PostgreSQL database of its own, on the one server that the run has. */
export async function createPostgresPlace(): Promise<StorePlace> {
  const database = await createDatabase();
  return {
    open: () => openPostgresStore({ url: database.url, clock: { monotonicMs: () => performance.now() } }),
    async readLedger() {
      const accounts = await database.query<AccountRow>(
        `SELECT guild_no::float8 AS "guildNo", player_id AS "playerId", balance::float8 AS "balanceUnits",
           transaction_count::float8 AS count FROM account`,
      );
      const transactions = await database.query<TransactionRow>(
        `SELECT t.guild_no::float8 AS "guildNo", a.player_id AS "playerId", t.seq::float8 AS seq,
           t.transaction_id AS "transactionId", t.total::float8 AS "totalUnits",
           t.balance_after::float8 AS "balanceAfterUnits", t.created_at::float8 AS "createdAtMs"
         FROM ledger_transaction t JOIN account a USING (guild_no, account_no)`,
      );
      return { accounts, transactions };
    },
    noticedWithinMs: 1_000,
    remove: database.remove,
  };
}
