import type { DatabaseSync } from 'node:sqlite';
import type { AccountState } from '../../domain/ledger/posting.ts';
import { prepare } from './connection.ts';
import { createDailySums } from './daily-sums.ts';

/** An account as the writer thread holds it while it appends. */
export interface Account extends AccountState {
  accountNo: number;
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

export interface Accounts {
  find(guildNo: number, playerId: string): Account | undefined;
  /** Opens an account and returns its number. */
  open(guildNo: number, playerId: string): number;
  insert(guildNo: number, accountNo: number, row: TransactionRow): void;
  /** Remembers how far an account has come. */
  move(guildNo: number, playerId: string, account: Account): void;
  /** Writes what was remembered; belongs right before the commit, so that a batch moves each account and sum once. */
  flush(): void;
  /** Forgets what was remembered, because its transactions were undone. */
  forget(): void;
}

/** The statements with which accounts grow, and the sums with them. Posts and imports share one, since both move accounts. */
export function createAccounts(db: DatabaseSync): Accounts {
  const dailySums = createDailySums(db);
  const statements = prepareStatements(db);
  const moved = new Map<string, Account>();

  function forget(): void {
    moved.clear();
    dailySums.forget();
  }

  return {
    find: (guildNo, playerId) =>
      moved.get(keyOf(guildNo, playerId)) ?? statements.find.get(guildNo, playerId),
    open: (guildNo, playerId) => Number(statements.open.run(guildNo, playerId).lastInsertRowid),
    move(guildNo, playerId, account) {
      moved.set(keyOf(guildNo, playerId), account);
    },
    insert(guildNo, accountNo, row) {
      statements.insert.run(
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
    flush() {
      for (const { balanceUnits, count, lastCreatedAtMs, accountNo } of moved.values()) {
        statements.move.run(balanceUnits, count, lastCreatedAtMs, accountNo);
      }
      moved.clear();
      dailySums.flush();
    },
    forget,
  };
}

function keyOf(guildNo: number, playerId: string): string {
  return `${guildNo} ${playerId}`;
}

function prepareStatements(db: DatabaseSync) {
  return {
    find: prepare<Account>(
      db,
      `SELECT account_no AS accountNo, balance AS balanceUnits, transaction_count AS count,
         last_created_at AS lastCreatedAtMs
       FROM account WHERE guild_no = ? AND player_id = ?`,
    ),
    open: prepare(
      db,
      `INSERT INTO account (guild_no, player_id, balance, transaction_count, last_created_at)
       VALUES (?, ?, 0, 0, 0)`,
    ),
    move: prepare(
      db,
      'UPDATE account SET balance = ?, transaction_count = ?, last_created_at = ? WHERE account_no = ?',
    ),
    insert: prepare(
      db,
      `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total,
         name, source, balance_after, key_no, created_at, posted_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}
