import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './connection.ts';
import type { DailySums } from './daily-sums.ts';

/** An account as the writer thread holds it while it appends. */
export interface Account {
  accountNo: number;
  balanceUnits: number;
  count: number;
  lastCreatedAtMs: number;
}

export interface TransactionRow {
  seq: number;
  transactionId: string;
  amountUnits: number;
  quantity: number;
  totalUnits: number;
  name: string;
  source: string;
  balanceUnits: number;
  keyNo: number | undefined;
  postedBy?: string | undefined;
  createdAtMs: number;
}

/** The statements with which accounts grow, and the sums with them. Shared by posts and imports. */
export function createAccounts(db: DatabaseSync, dailySums: DailySums) {
  const find = prepare<Account>(
    db,
    `SELECT account_no AS accountNo, balance AS balanceUnits, transaction_count AS count,
       last_created_at AS lastCreatedAtMs
     FROM account WHERE guild_no = ? AND player_id = ?`,
  );
  const open = prepare(
    db,
    `INSERT INTO account (guild_no, player_id, balance, transaction_count, last_created_at)
     VALUES (?, ?, 0, 0, 0)`,
  );
  const move = prepare(
    db,
    'UPDATE account SET balance = ?, transaction_count = ?, last_created_at = ? WHERE account_no = ?',
  );
  const insert = prepare(
    db,
    `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total,
       name, source, balance_after, key_no, created_at, posted_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    find: (guildNo: number, playerId: string): Account | undefined => find.get(guildNo, playerId),
    open: (guildNo: number, playerId: string): number => Number(open.run(guildNo, playerId).lastInsertRowid),
    move(account: Account): void {
      move.run(account.balanceUnits, account.count, account.lastCreatedAtMs, account.accountNo);
    },
    insert(guildNo: number, accountNo: number, row: TransactionRow): void {
      insert.run(
        guildNo,
        accountNo,
        row.seq,
        row.transactionId,
        row.amountUnits,
        row.quantity,
        row.totalUnits,
        row.name,
        row.source,
        row.balanceUnits,
        row.keyNo ?? null,
        row.createdAtMs,
        row.postedBy ?? null,
      );
      dailySums.add(guildNo, row);
    },
  };
}
