import type { GuildRef } from '../model.ts';
import type {
  AccountSums,
  DetailedTransaction,
  LedgerViewStore,
  OpenTimes,
  ShownListing,
  ShownTransaction,
} from './ledger-views.ts';
import { addUp } from './overview.ts';

/** Transactions that a statement shows. A file has all of them. */
const STATEMENT_ROWS_MAX = 1_000;

/** The transactions of an account in a range of time, with the balances before and after them. */
export interface PlayerStatement extends ShownListing {
  sums: Omit<AccountSums, 'sources'>;
}

const IN_ORDER = {
  source: undefined,
  minUnits: undefined,
  maxUnits: undefined,
  sortBy: 'createdAt',
  sortOrder: 'asc',
} as const;

const NOTHING = { openingUnits: 0, closingUnits: 0, all: addUp([]), archivedUntilMs: undefined };

export async function readStatement(
  views: LedgerViewStore,
  guild: GuildRef,
  playerId: string,
  times: OpenTimes,
): Promise<PlayerStatement> {
  const [listing, sums] = await Promise.all([
    views.list(guild, playerId, { ...IN_ORDER, ...times, page: 1, limit: STATEMENT_ROWS_MAX }),
    views.accountSums(guild, playerId, times, 0),
  ]);
  const isWhole = listing.transactions.length === listing.total;
  return { ...listing, sums: { ...(sums ?? NOTHING), ...(isWhole && sumsOf(listing.transactions)) } };
}

/**
 * The balances of a whole range from its rows, so that they add up even when a transaction is posted between two
 * reads.
 */
function sumsOf(transactions: readonly DetailedTransaction[]): Partial<AccountSums> {
  const [first, last] = [transactions[0], transactions.at(-1)];
  if (first === undefined || last === undefined) {
    return {};
  }
  const units = (sign: 1 | -1) =>
    transactions.map(({ totalUnits }) => totalUnits * sign).filter((one) => one > 0);
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + BigInt(one), 0n);
  const [deposits, withdrawals] = [units(1), units(-1)];
  return {
    openingUnits: first.balanceUnits - first.totalUnits,
    closingUnits: last.balanceUnits,
    all: {
      depositCount: deposits.length,
      depositUnits: sum(deposits),
      withdrawalCount: withdrawals.length,
      withdrawalUnits: sum(withdrawals),
    },
  };
}

export interface StatementExport {
  openingUnits: number;
  archivedUntilMs: number | undefined;
  transactions: AsyncIterable<ShownTransaction>;
}

/** The whole range, however long it is. */
export async function exportStatement(
  views: LedgerViewStore,
  guild: GuildRef,
  playerId: string,
  times: OpenTimes,
): Promise<StatementExport> {
  const { openingUnits, archivedUntilMs } = (await views.accountSums(guild, playerId, times, 0)) ?? NOTHING;
  const transactions = views.read(guild, playerId, { ...IN_ORDER, ...times });
  return { openingUnits, archivedUntilMs, transactions };
}
