import type { DatabaseSync } from 'node:sqlite';
import { createCache } from '../../domain/cache.ts';
import type { AccountState } from '../../domain/ledger/posting.ts';
import type { TransactionExtra } from '../../domain/model.ts';
import { EXTRA_COLUMNS, extraValues } from '../ledger/extra-columns.ts';
import { prepare } from './connection.ts';
import { createDailySums } from './daily-sums.ts';
import { createNumbers } from './numbers.ts';

/** Accounts that are cached between commits. The cache holds at most two generations of this size. */
const KNOWN_ACCOUNTS_MAX = 20_000;

/** An account as the writer thread holds it while it appends. */
export interface Account extends AccountState {
  accountNo: number;
  floorUnits?: number | null;
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
  extra?: TransactionExtra | undefined;
}

export interface Accounts {
  /** Call it at the beginning of a transaction. Drops cached accounts that another process may have changed. */
  begin(): void;
  find(guildNo: number, playerId: string): Account | undefined;
  /** Opens an account and returns its number. */
  open(guildNo: number, playerId: string): number;
  /** Inserts a transaction, and returns its number, which is the guild's next one. */
  insert(guildNo: number, accountNo: number, row: TransactionRow): number;
  /** Keeps the new state of an account until `flush`. */
  move(guildNo: number, playerId: string, account: Account): void;
  /** True when processes of an older version have inserted transactions without a number. */
  hasOlder(): boolean;
  /** Gives those transactions their numbers. Call `flush` afterwards. */
  numberOlder(): void;
  /** Sets the floor of an existing account. */
  setFloor(guildNo: number, playerId: string, floorUnits: number | null): void;
  /** Writes the kept states. Call it right before the commit, so that a batch updates each account and sum once. */
  flush(): void;
  /** Drops the kept states, because their transactions were or may be rolled back. */
  forget(): void;
}

/**
 * Reads and changes accounts, and inserts their transactions and daily sums. Posts and imports share one, because
 * both change accounts.
 */
export function createAccounts(db: DatabaseSync): Accounts {
  const dailySums = createDailySums(db);
  const numbers = createNumbers(db);
  const insertExtra = createExtraInsert(db);
  const statements = prepareStatements(db);
  const moved = new Map<string, Account>();
  // Accounts as of their last commit. Valid while no other connection writes, which `data_version` shows.
  const known = createCache<Account>(KNOWN_ACCOUNTS_MAX);
  let version: number | undefined;

  function find(guildNo: number, playerId: string): Account | undefined {
    const key = keyOf(guildNo, playerId);
    let account = moved.get(key) ?? known.get(key);
    if (account === undefined) {
      account = statements.find.get(guildNo, playerId);
      if (account !== undefined) {
        known.set(key, account);
      }
    }
    return account;
  }

  function forget(): void {
    moved.clear();
    known.clear();
    numbers.forget();
    dailySums.forget();
  }

  return {
    begin() {
      const current = statements.version.get()?.version;
      if (current !== version) {
        known.clear();
        version = current;
      }
    },
    find,
    open: (guildNo, playerId) => Number(statements.open.run(guildNo, playerId).lastInsertRowid),
    move(guildNo, playerId, account) {
      moved.set(keyOf(guildNo, playerId), account);
    },
    hasOlder: numbers.hasOlder,
    numberOlder: numbers.numberOlder,
    insert(guildNo, accountNo, row) {
      const number = numbers.next(guildNo);
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
        number,
      );
      if (row.extra !== undefined) {
        insertExtra(guildNo, number, row.extra);
      }
      dailySums.add(guildNo, row);
      return number;
    },
    setFloor(guildNo, playerId, floorUnits) {
      statements.setFloor.run(floorUnits, guildNo, playerId);
      const account = find(guildNo, playerId);
      if (account !== undefined) {
        account.floorUnits = floorUnits;
      }
    },
    flush() {
      for (const [key, account] of moved) {
        const { balanceUnits, count, lastCreatedAtMs, accountNo } = account;
        statements.move.run(balanceUnits, count, lastCreatedAtMs, accountNo);
        known.set(key, account);
      }
      moved.clear();
      numbers.flush();
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
    version: prepare<{ version: number }>(db, 'SELECT data_version AS version FROM pragma_data_version'),
    find: prepare<Account>(
      db,
      `SELECT account_no AS accountNo, balance AS balanceUnits, transaction_count AS count,
         last_created_at AS lastCreatedAtMs, floor AS floorUnits
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
    setFloor: prepare(db, 'UPDATE account SET floor = ? WHERE guild_no = ? AND player_id = ?'),
    insert: prepare(
      db,
      `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total,
         name, source, balance_after, key_no, created_at, posted_by, number)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}

function createExtraInsert(db: DatabaseSync) {
  const insert = prepare(
    db,
    `INSERT INTO ledger_extra (guild_no, number, ${EXTRA_COLUMNS.map(({ name }) => name).join(', ')})
     VALUES (?, ?, ${EXTRA_COLUMNS.map(() => '?').join(', ')})`,
  );
  return (guildNo: number, number: number, extra: TransactionExtra): void => {
    insert.run(guildNo, number, ...extraValues(extra));
  };
}
