import type { DatabaseSync } from 'node:sqlite';
import type { ImportOutcome, PastTransaction } from '../../domain/model.ts';
import type { Account, Accounts } from './accounts.ts';
import { prepare } from './connection.ts';

interface ImportBatch {
  guildNo: number;
  transactions: readonly PastTransaction[];
}

/** An account during one batch: read once, moved once, whatever number of its transactions the batch holds. */
interface OpenAccount extends Account {
  isMoved: boolean;
  /** Where the last known transaction was found: a repeated import meets the next one right behind it. */
  lastFoundSeq: number;
  /** The ids at the account's last moment, where a new transaction and a repeated one look alike. Read when first needed. */
  idsAtLast: Map<string, number> | undefined;
}

export function createImportWrites(db: DatabaseSync, accounts: Accounts) {
  const findSeq = createPresence(db);

  function openAccount(guildNo: number, playerId: string): OpenAccount {
    const found = accounts.find(guildNo, playerId);
    // An account without transactions has no last time: history may begin anywhere, before 1970 too.
    const account = found ?? {
      accountNo: 0,
      balanceUnits: 0,
      count: 0,
      lastCreatedAtMs: Number.NEGATIVE_INFINITY,
    };
    return { ...account, isMoved: false, lastFoundSeq: 0, idsAtLast: undefined };
  }

  function append(guildNo: number, account: OpenAccount, transaction: PastTransaction): ImportOutcome {
    if (transaction.createdAtMs <= account.lastCreatedAtMs) {
      const seq = findSeq(guildNo, account, transaction);
      if (seq !== undefined) {
        account.lastFoundSeq = seq;
        return 'present';
      }
    }
    if (transaction.createdAtMs < account.lastCreatedAtMs) {
      return { refused: `older than the account's last transaction (${isoTime(account.lastCreatedAtMs)})` };
    }
    const balanceUnits = account.balanceUnits + transaction.totalUnits;
    if (!Number.isSafeInteger(balanceUnits)) {
      return { refused: 'the balance would be out of range' };
    }
    if (account.accountNo === 0) {
      account.accountNo = accounts.open(guildNo, transaction.playerId);
    }
    account.balanceUnits = balanceUnits;
    account.count += 1;
    if (transaction.createdAtMs > account.lastCreatedAtMs) {
      account.idsAtLast = new Map();
    }
    account.idsAtLast?.set(transaction.transactionId, account.count);
    account.lastCreatedAtMs = transaction.createdAtMs;
    account.isMoved = true;
    accounts.insert(guildNo, account.accountNo, {
      ...transaction,
      seq: account.count,
      balanceUnits,
      keyNo: undefined,
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
      for (const [playerId, { isMoved, accountNo, balanceUnits, count, lastCreatedAtMs }] of open) {
        if (isMoved) {
          accounts.move(guildNo, playerId, { accountNo, balanceUnits, count, lastCreatedAtMs });
        }
      }
      return outcomes;
    },
  };
}

/**
 * Finds a transaction in its account by time and id. There is no index on ids: creation times never decrease along
 * seq, so a binary search finds the moment, and usually the row behind the last one found is already the right one.
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

  /** The first seq whose time is not before the given one. */
  function firstNotBefore(guildNo: number, account: OpenAccount, timeMs: number): number {
    let low = 1;
    let high = account.count;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((findRow.get(guildNo, account.accountNo, middle)?.createdAtMs ?? 0) < timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  function idsAt(guildNo: number, account: OpenAccount, timeMs: number): Map<string, number> {
    const first = firstNotBefore(guildNo, account, timeMs);
    const rows = findFrom.all(guildNo, account.accountNo, first, timeMs);
    return new Map(rows.map(({ transactionId, seq }) => [transactionId, seq]));
  }

  return (guildNo: number, account: OpenAccount, wanted: PastTransaction): number | undefined => {
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
  };
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
