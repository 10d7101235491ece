import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type {
  AppendOutcome,
  ListedTransaction,
  Listing,
  ListingQuery,
  NewTransaction,
  PastTransaction,
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
import { createAccounts } from './accounts.ts';
import { prepare, prepareOnDemand } from './connection.ts';
import { createImportWrites } from './ledger-import.ts';
import { readRows } from './read-rows.ts';
import type { StoreParts } from './write.ts';

const EXPORT = `SELECT g.guild_id AS guildId, a.player_id AS playerId, t.transaction_id AS transactionId,
  t.amount AS amountUnits, t.quantity, t.name, t.source, t.total AS totalUnits, t.created_at AS createdAtMs
  FROM ledger_transaction t JOIN account a USING (account_no) JOIN guild g ON g.guild_no = t.guild_no`;

export type LedgerWrites = ReturnType<typeof createLedgerWrites>;

export function createLedgerStore(parts: StoreParts<LedgerWrites>): LedgerStore {
  const { db, read, openReader, write } = parts;
  const list = createListing(db);
  return {
    append: (transaction) => write('append', transaction),
    list: (guild, playerId, query) => read(() => list(guild.guildNo, playerId, query)),
    import: ({ guildNo }, transactions) => write('importTransactions', { guildNo, transactions }),
    read: (guild) =>
      readRows<PastTransaction, PastTransaction>({
        openReader,
        sql: `${EXPORT} ${guild === undefined ? '' : 'WHERE t.guild_no = ?'} ORDER BY t.guild_no, t.account_no, t.seq`,
        values: guild === undefined ? [] : [guild.guildNo],
        converter: () => (row) => row,
      }),
  };
}

/** What the writer thread does for the ledger. Each write checks everything before it changes anything. */
export function createLedgerWrites(db: DatabaseSync) {
  const accounts = createAccounts(db);
  const insertIdempotency = prepare(
    db,
    `INSERT INTO idempotency (guild_no, idempotency_key, request_hash, account_no, seq) VALUES (?, ?, ?, ?, ?)`,
  );
  const findFirstOutcome = createReplay(db);
  const assertBalance = createBalanceRule(db);

  return {
    ...createImportWrites(db),
    append(transaction: NewTransaction): AppendOutcome {
      const { playerId, transactionId, idempotency } = transaction;
      const { guildNo } = transaction.guild;
      const first = idempotency && findFirstOutcome(guildNo, idempotency.key, idempotency.requestHash);
      if (first !== undefined) {
        return first;
      }
      const account = accounts.find(guildNo, playerId);
      const balanceUnits = (account?.balanceUnits ?? 0) + transaction.totalUnits;
      assertBalance(guildNo, transaction.totalUnits, balanceUnits);

      const accountNo = account?.accountNo ?? accounts.open(guildNo, playerId);
      const seq = (account?.count ?? 0) + 1;
      const createdAtMs = Math.max(transaction.createdAtMs, account?.lastCreatedAtMs ?? 0);
      accounts.insert(guildNo, accountNo, { ...transaction, seq, balanceUnits, createdAtMs });
      accounts.move({ accountNo, balanceUnits, count: seq, lastCreatedAtMs: createdAtMs });
      if (idempotency !== undefined) {
        insertIdempotency.run(guildNo, idempotency.key, idempotency.requestHash, accountNo, seq);
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
  const pages = prepareOnDemand<ListedTransaction>(db);
  const counts = prepareOnDemand<{ total: number }>(db);

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
    return {
      transactions: page.all(...values, query.limit, offset, account.guildNo, account.accountNo),
      total,
    };
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
