/** The checks that both stores share: the list of findings, and the rules of an account. */

export type VerifyProgress = (state: { done: number; total: number }) => void;

export interface LedgerRow {
  seq: number;
  totalUnits: number;
  balanceUnits: number;
  createdAtMs: number;
}

export interface AccountRow {
  guildNo: number;
  accountNo: number;
  playerId: string;
  balanceUnits: number;
  count: number;
  /** The account begins with this number of archived transactions, which are not there. */
  archivedCount: number;
  lastCreatedAtMs: number;
}

/** Further findings are only counted: a store this damaged needs no longer list. */
const FINDINGS_MAX = 100;

export function createFindings() {
  const list: string[] = [];
  let more = 0;
  return {
    add(finding: string): void {
      if (list.length < FINDINGS_MAX) {
        list.push(finding);
      } else {
        more += 1;
      }
    },
    list: (): string[] => (more === 0 ? list : [...list, `and ${more} more`]),
  };
}

export interface AccountCheck {
  /** Takes the account's transactions one by one, by seq. */
  take(row: LedgerRow): void;
  /** Compares the account with its transactions. */
  end(): void;
}

/** Checks that seq has no gaps, times never decrease, and balances are the sums. */
export function createAccountCheck(account: AccountRow, report: (finding: string) => void): AccountCheck {
  const add = (finding: string) => report(`account of player ${account.playerId}: ${finding}`);
  const { archivedCount } = account;
  let count = archivedCount;
  let balance = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    take(row) {
      // The balance after the archived transactions is not known otherwise; the sums of the guild contain it.
      if (archivedCount > 0 && count === archivedCount) {
        balance = row.balanceUnits - row.totalUnits;
      }
      count += 1;
      balance += row.totalUnits;
      if (row.seq !== count) {
        add(`transaction ${count} is missing, the next one is ${row.seq}`);
        count = row.seq;
      }
      if (row.balanceUnits !== balance) {
        add(`the balance after transaction ${row.seq} is not the sum of the totals`);
        balance = row.balanceUnits;
      }
      if (row.createdAtMs < lastMs) {
        add(`transaction ${row.seq} is older than the one before it`);
      }
      lastMs = row.createdAtMs;
    },
    end() {
      if (account.count !== count) {
        add(`its count of transactions is ${account.count} and should be ${count}`);
      }
      if (count === archivedCount && archivedCount > 0) {
        return;
      }
      if (account.balanceUnits !== balance) {
        add('its balance is not the sum of its transactions');
      }
      if (count > 0 && account.lastCreatedAtMs !== lastMs) {
        add('its last time is not that of its last transaction');
      }
    },
  };
}
