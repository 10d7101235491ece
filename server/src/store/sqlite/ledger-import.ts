import type { DatabaseSync } from 'node:sqlite';
import { decideImport, type ReversedTransaction, refuseReversal } from '../../domain/ledger/importing.ts';
import { NEW_ACCOUNT } from '../../domain/ledger/posting.ts';
import type { ImportOutcome, PastTransaction } from '../../domain/model.ts';
import { extraOf } from '../ledger/past-rows.ts';
import { createFirstNotBefore } from './account-times.ts';
import type { Account, Accounts } from './accounts.ts';
import { prepare } from './connection.ts';

interface ImportBatch {
  guildNo: number;
  transactions: readonly PastTransaction[];
}

/** An account during one batch: read once, updated once, for any number of its transactions. */
interface OpenAccount extends Account {
  isMoved: boolean;
  /** The seq at which the last stored transaction was found. A repeated import finds the next one right after it. */
  lastFoundSeq: number;
  /**
   * Ids and seqs at the account's last time, where a new transaction and a repeated one look alike. Read at first
   * use.
   */
  idsAtLast: Map<string, number> | undefined;
}

export function createImportWrites(db: DatabaseSync, accounts: Accounts) {
  const findSeq = createPresence(db);
  const findReversed = createReversed(db);

  function openAccount(guildNo: number, playerId: string): OpenAccount {
    const found = accounts.find(guildNo, playerId);
    const account = found ?? { ...NEW_ACCOUNT, accountNo: 0 };
    return { ...account, isMoved: false, lastFoundSeq: 0, idsAtLast: undefined };
  }

  function isPresent(guildNo: number, account: OpenAccount, transaction: PastTransaction): boolean {
    const seq = findSeq(guildNo, account, transaction);
    account.lastFoundSeq = seq ?? account.lastFoundSeq;
    return seq !== undefined;
  }

  function append(guildNo: number, account: OpenAccount, transaction: PastTransaction): ImportOutcome {
    const decision = decideImport(account, transaction, () => isPresent(guildNo, account, transaction));
    if ('outcome' in decision) {
      return decision.outcome;
    }
    const { reverses } = transaction;
    const reversed = reverses === undefined ? undefined : findReversed(guildNo, reverses);
    const refused = reverses === undefined ? undefined : refuseReversal(transaction, reversed);
    if (refused !== undefined) {
      return { refused };
    }
    if (account.accountNo === 0) {
      account.accountNo = accounts.open(guildNo, transaction.playerId);
    }
    const { balanceUnits, count: seq } = decision.account;
    if (transaction.createdAtMs > account.lastCreatedAtMs) {
      account.idsAtLast = new Map();
    }
    account.idsAtLast?.set(transaction.transactionId, seq);
    Object.assign(account, decision.account);
    account.isMoved = true;
    const extra = extraOf(transaction, reversed?.number);
    accounts.insert(guildNo, account.accountNo, {
      ...transaction,
      seq,
      balanceUnits,
      keyNo: undefined,
      extra,
    });
    return 'added';
  }

  return {
    importTransactions({ guildNo, transactions }: ImportBatch): ImportOutcome[] {
      const open = new Map<string, OpenAccount>();
      const outcomes = transactions.map((transaction) => {
        let account = open.get(transaction.playerId);
        if (account === undefined) {
          account = openAccount(guildNo, transaction.playerId);
          open.set(transaction.playerId, account);
        }
        return append(guildNo, account, transaction);
      });
      for (const [playerId, { isMoved, lastFoundSeq, idsAtLast, ...account }] of open) {
        if (isMoved) {
          accounts.move(guildNo, playerId, account);
        }
      }
      return outcomes;
    },
  };
}

/**
 * Finds a transaction in its account by time and id, without an index on ids: creation times never decrease along
 * seq, so a binary search finds the time. Usually the row after the last one found is already the right one.
 */
function createPresence(db: DatabaseSync) {
  const findRow = prepare<{ transactionId: string; createdAtMs: number }>(
    db,
    `SELECT transaction_id AS transactionId, created_at AS createdAtMs
     FROM ledger_transaction WHERE guild_no = ? AND account_no = ? AND seq = ?`,
  );
  const findFrom = prepare<{ transactionId: string; seq: number }>(
    db,
    `SELECT transaction_id AS transactionId, seq FROM ledger_transaction
     WHERE guild_no = ? AND account_no = ? AND seq >= ? AND created_at = ? ORDER BY seq`,
  );
  const firstNotBefore = createFirstNotBefore(db);
  const findArchived = prepare<{ found: number }>(
    db,
    'SELECT 1 AS found FROM archived_transaction WHERE guild_no = ? AND id = ?',
  );

  function idsAt(guildNo: number, account: OpenAccount, timeMs: number): Map<string, number> {
    const { accountNo, count } = account;
    const first = firstNotBefore({ guildNo, accountNo, count }, timeMs);
    const rows = findFrom.all(guildNo, account.accountNo, first, timeMs);
    return new Map(rows.map(({ transactionId, seq }) => [transactionId, seq]));
  }

  function findStored(guildNo: number, account: OpenAccount, wanted: PastTransaction): number | undefined {
    const next = account.lastFoundSeq + 1;
    const row = findRow.get(guildNo, account.accountNo, next);
    if (row?.transactionId === wanted.transactionId && row.createdAtMs === wanted.createdAtMs) {
      return next;
    }
    if (wanted.createdAtMs < account.lastCreatedAtMs) {
      return idsAt(guildNo, account, wanted.createdAtMs).get(wanted.transactionId);
    }
    account.idsAtLast ??= idsAt(guildNo, account, account.lastCreatedAtMs);
    return account.idsAtLast.get(wanted.transactionId);
  }

  // An archived transaction is present, but has no row where the next one could be looked for.
  return (guildNo: number, account: OpenAccount, wanted: PastTransaction): number | undefined =>
    findStored(guildNo, account, wanted) ??
    (findArchived.get(guildNo, wanted.transactionId.toLowerCase().replaceAll('-', ''))
      ? account.lastFoundSeq
      : undefined);
}

/** Finds the transaction that an imported one reverses, by its id. */
function createReversed(db: DatabaseSync) {
  const find = prepare<Omit<ReversedTransaction, 'isReversed'> & { isReversed: number }>(
    db,
    `SELECT t.number, a.player_id AS playerId, t.total AS totalUnits,
       EXISTS (SELECT 1 FROM ledger_extra AS x WHERE x.guild_no = t.guild_no AND x.reverses = t.number) AS isReversed
     FROM ledger_transaction AS t INDEXED BY ledger_by_id CROSS JOIN account AS a
     WHERE t.guild_no = ? AND unhex(replace(t.transaction_id, '-', '')) = ? AND a.account_no = t.account_no
     ORDER BY t.number LIMIT 1`,
  );
  return (guildNo: number, transactionId: string): ReversedTransaction | undefined => {
    const found = find.get(guildNo, idBytes(transactionId));
    return found && { ...found, isReversed: found.isReversed === 1 };
  };
}

/** An id as `ledger_by_id` holds it. A text that is not a UUID is never found. */
function idBytes(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}
