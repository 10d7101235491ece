import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type {
  AppendOutcome,
  ListedTransaction,
  Listing,
  ListingQuery,
  NewTransaction,
} from '../../domain/model.ts';
import type { LedgerStore } from '../../domain/ports.ts';
import {
  type AccountKey,
  countSql,
  filterShape,
  filterValues,
  hasFilters,
  type ListingDialect,
  listingShape,
  pageSql,
  rangeSql,
  seqRange,
} from '../listing-sql.ts';
import { prepare, type Statement } from './connection.ts';
import type { Read, WriteOf } from './write.ts';

export type LedgerWrites = ReturnType<typeof createLedgerWrites>;

export function createLedgerStore(db: DatabaseSync, read: Read, write: WriteOf<LedgerWrites>): LedgerStore {
  const list = createListing(db);
  return {
    append: (transaction) => write('append', transaction),
    list: (guild, playerId, query) => read(() => list(guild.guildNo, playerId, query)),
  };
}

interface Account {
  accountNo: number;
  balanceUnits: number;
  count: number;
  lastCreatedAtMs: number;
}

/** What the writer thread does for the ledger. Each write checks everything before it changes anything. */
export function createLedgerWrites(db: DatabaseSync) {
  const findAccount = prepare<Account>(
    db,
    `SELECT account_no AS accountNo, balance AS balanceUnits, transaction_count AS count,
       last_created_at AS lastCreatedAtMs
     FROM account WHERE guild_no = ? AND player_id = ?`,
  );
  const openAccount = prepare(
    db,
    `INSERT INTO account (guild_no, player_id, balance, transaction_count, last_created_at)
     VALUES (?, ?, 0, 0, 0)`,
  );
  const moveAccount = prepare(
    db,
    'UPDATE account SET balance = ?, transaction_count = ?, last_created_at = ? WHERE account_no = ?',
  );
  const insertTransaction = prepare(
    db,
    `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total,
       name, source, balance_after, key_no, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertIdempotency = prepare(
    db,
    `INSERT INTO idempotency (guild_no, idempotency_key, request_hash, account_no, seq) VALUES (?, ?, ?, ?, ?)`,
  );
  const findFirstOutcome = createReplay(db);
  const assertBalance = createBalanceRule(db);

  return {
    append(transaction: NewTransaction): AppendOutcome {
      const { guild, playerId, transactionId, idempotency } = transaction;
      const first = idempotency && findFirstOutcome(guild.guildNo, idempotency.key, idempotency.requestHash);
      if (first !== undefined) {
        return first;
      }
      const account = findAccount.get(guild.guildNo, playerId);
      const balanceUnits = (account?.balanceUnits ?? 0) + transaction.totalUnits;
      assertBalance(guild.guildNo, transaction.totalUnits, balanceUnits);

      const accountNo =
        account?.accountNo ?? Number(openAccount.run(guild.guildNo, playerId).lastInsertRowid);
      const seq = (account?.count ?? 0) + 1;
      const createdAtMs = Math.max(transaction.createdAtMs, account?.lastCreatedAtMs ?? 0);
      insertTransaction.run(
        guild.guildNo,
        accountNo,
        seq,
        transactionId,
        transaction.amountUnits,
        transaction.quantity,
        transaction.totalUnits,
        transaction.name,
        transaction.source,
        balanceUnits,
        transaction.keyNo ?? null,
        createdAtMs,
      );
      moveAccount.run(balanceUnits, seq, createdAtMs, accountNo);
      if (idempotency !== undefined) {
        insertIdempotency.run(guild.guildNo, idempotency.key, idempotency.requestHash, accountNo, seq);
      }
      return { transactionId, balanceUnits, replayed: false };
    },
  };
}

function createReplay(db: DatabaseSync) {
  const find = prepare<{ requestHash: string; transactionId: string; balanceUnits: number }>(
    db,
    `SELECT i.request_hash AS requestHash, t.transaction_id AS transactionId, t.balance_after AS balanceUnits
     FROM idempotency i JOIN ledger_transaction t USING (guild_no, account_no, seq)
     WHERE i.guild_no = ? AND i.idempotency_key = ?`,
  );
  return (guildNo: number, key: string, requestHash: string): AppendOutcome | undefined => {
    const first = find.get(guildNo, key);
    if (first !== undefined && first.requestHash !== requestHash) {
      throw new DomainError('idempotency_mismatch');
    }
    return first && { transactionId: first.transactionId, balanceUnits: first.balanceUnits, replayed: true };
  };
}

function createBalanceRule(db: DatabaseSync) {
  const findGuild = prepare<{ overdraftAllowed: number }>(
    db,
    'SELECT overdraft_allowed AS overdraftAllowed FROM guild WHERE guild_no = ?',
  );
  return (guildNo: number, totalUnits: number, balanceUnits: number): void => {
    if (!Number.isSafeInteger(balanceUnits)) {
      throw new DomainError('balance_out_of_range');
    }
    if (totalUnits < 0 && balanceUnits < 0 && findGuild.get(guildNo)?.overdraftAllowed === 0) {
      throw new DomainError('overdraft');
    }
  };
}

const DIALECT: ListingDialect = {
  placeholder: () => '?',
  // Named outright, because without statistics the planner may prefer sorting a whole account by hand.
  indexHint: (sortBy) => (sortBy === 'createdAt' ? '' : `INDEXED BY ledger_by_${sortBy}`),
};

function createListing(db: DatabaseSync) {
  const findAccount = prepare<{ accountNo: number; count: number }>(
    db,
    'SELECT account_no AS accountNo, transaction_count AS count FROM account WHERE guild_no = ? AND player_id = ?',
  );
  const ranges = {
    asc: prepare<ListedTransaction>(db, rangeSql(DIALECT, 'asc')),
    desc: prepare<ListedTransaction>(db, rangeSql(DIALECT, 'desc')),
  };
  const pages = createStatements<ListedTransaction>(db);
  const counts = createStatements<{ total: number }>(db);

  function listFiltered(account: AccountKey, query: ListingQuery): Listing {
    const values = filterValues(account, query);
    const total = hasFilters(query)
      ? (counts(filterShape(query), () => countSql(DIALECT, query)).get(...values)?.total ?? 0)
      : account.count;
    const offset = (query.page - 1) * query.limit;
    if (offset >= total) {
      return { transactions: [], total };
    }
    const page = pages(listingShape(query), () => pageSql(DIALECT, query));
    return { transactions: page.all(...values, query.limit, offset), total };
  }

  return (guildNo: number, playerId: string, query: ListingQuery): Listing => {
    const found = findAccount.get(guildNo, playerId);
    if (found === undefined) {
      return { transactions: [], total: 0 };
    }
    const account = { guildNo, ...found };
    if (query.sortBy !== 'createdAt' || hasFilters(query)) {
      return listFiltered(account, query);
    }
    const { first, last } = seqRange(query, account.count);
    const transactions =
      first > last ? [] : ranges[query.sortOrder].all(guildNo, account.accountNo, first, last);
    return { transactions, total: account.count };
  };
}

/** Keeps each statement of a closed set of shapes, prepared at its first use. */
function createStatements<Row>(db: DatabaseSync) {
  const prepared = new Map<string, Statement<Row>>();
  return (shape: string, sql: () => string): Statement<Row> => {
    let statement = prepared.get(shape);
    if (statement === undefined) {
      statement = prepare<Row>(db, sql());
      prepared.set(shape, statement);
    }
    return statement;
  };
}
