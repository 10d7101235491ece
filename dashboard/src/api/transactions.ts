import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type AccountRef, accountKey, accountParts, transactionParts } from './account-ref.ts';
import { accountTransactionsPath, guildTransactionsPath } from './first-paths.ts';
import { downloadAddress, guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';
import type { GuildListing, PlayerListing } from './transaction-listing.ts';

type WirePage = Reply<'GuildTransactionsReply'>['data'];
type WireTransaction = WirePage['transactions'][number];

/** Amounts are decimal texts, so that the pages never compute with rounded numbers. */
export interface Transaction extends Omit<WireTransaction, 'amount' | 'total'> {
  amount: string;
  total: string;
}

export interface Correction {
  name: string;
  quantity: number;
  amount: number;
  /** Repeats the direction, so that the service refuses a wrong sign. */
  deposit?: true;
  withdrawal?: true;
  /** Confirms that the balance may fall below zero. */
  overdraft?: true;
  /** The id of the corrected transaction. */
  corrects?: string;
}

export function accountTransactionsQuery(guildId: string, account: AccountRef, listing: PlayerListing) {
  return queryOptions({
    queryKey: [...accountKey(guildId, account), 'transactions', listing],
    queryFn: async () => {
      const path = accountTransactionsPath(guildId, account, listing);
      const { data, pagination } = await request('PlayerTransactionsReply', path);
      return { transactions: data.transactions.map(toTransaction), ...pagination };
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function guildTransactionsQuery(guildId: string, listing: GuildListing) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'transactions', listing],
    queryFn: () => fetchGuildPage(guildId, listing),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/**
 * `next` is the `before` of the next page, null at the end. `searchedTo` is set when the search stopped before the
 * page was full: everything newer was looked at. `total` is null when counting would take too long.
 */
export interface GuildPage extends Omit<WirePage, 'transactions'> {
  transactions: Transaction[];
}

async function fetchGuildPage(guildId: string, listing: GuildListing): Promise<GuildPage> {
  const { data } = await request('GuildTransactionsReply', guildTransactionsPath(guildId, listing));
  return { ...data, transactions: data.transactions.map(toTransaction) };
}

/** The filters of a list without its order and pages. */
export type GuildFilter = Omit<GuildListing, 'limit' | 'before' | 'sortBy' | 'sortOrder'>;

/** Count and sums of what is filtered. */
export function guildSumsQuery(
  guildId: string,
  { limit: _limit, before: _before, sortBy: _sortBy, sortOrder: _sortOrder, ...filter }: GuildListing,
) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'sums', filter satisfies GuildFilter],
    queryFn: async () => {
      const path = guildPath(guildId, ['transactions', 'sums'], { ...filter });
      return (await request('TransactionSumsReply', path)).data;
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export type TransactionSums = Reply<'TransactionSumsReply'>['data'];

/** One transaction by its id, also when it is not on the shown page. Null when there is no such transaction. */
export function transactionQuery(guildId: string, transactionId: string, isOwn: boolean) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'transaction', transactionId, isOwn],
    queryFn: async () => {
      const path = guildPath(guildId, transactionParts(transactionId, isOwn));
      const { data } = await request('TransactionDetailsReply', path);
      return data && toTransaction(data);
    },
    refetchOnWindowFocus: true,
  });
}

/** The receipt of a transaction, against the latest checkpoint of the sealed ledger. */
export function receiptQuery(guildId: string, transactionId: string, isOwn: boolean) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'receipt', transactionId],
    queryFn: async () => {
      const path = guildPath(guildId, [...transactionParts(transactionId, isOwn), 'receipt']);
      return (await request('TransactionReceiptReply', path)).data.receipt;
    },
  });
}

/** The address of the CSV file with the filtered transactions of an account, with times in a zone. */
export function accountExportAddress(
  guildId: string,
  account: AccountRef,
  { page: _page, limit: _limit, ...query }: PlayerListing & { timeZone: string },
): string {
  return downloadAddress(guildId, [...accountParts(account), 'transactions.csv'], query);
}

export function guildExportAddress(
  guildId: string,
  { before: _before, limit: _limit, ...query }: GuildListing & { timeZone: string },
): string {
  return downloadAddress(guildId, ['transactions.csv'], query);
}

interface CorrectionOrder {
  playerId: string;
  correction: Correction;
  /** The same for every attempt at one correction, so that it is posted at most once. */
  idempotencyKey: string;
}

/** Posts to a player's account and returns the resulting balance. */
export async function postCorrection(session: Session, guildId: string, order: CorrectionOrder) {
  const { playerId, correction, idempotencyKey } = order;
  const path = guildPath(guildId, ['players', playerId, 'transactions']);
  const { data } = await request('CorrectionReply', path, {
    method: 'POST',
    body: correction,
    csrfToken: session.csrfToken,
    idempotencyKey,
  });
  return { balance: data.balance };
}

export interface ReversalOrder {
  transactionId: string;
  /** '' for no reason. */
  reason: string;
  /** Reverses it even if the balance does not cover it. */
  force: boolean;
  idempotencyKey: string;
}

/** The address of the CSV file with exactly these transactions. */
export function selectionExportAddress(guildId: string, ids: readonly string[], timeZone: string): string {
  // The service splits the list at commas before it decodes them.
  const list = ids.map(encodeURIComponent).join(',');
  return `${downloadAddress(guildId, ['transactions.csv'], { timeZone })}&ids=${list}`;
}

/** Reverses transactions, together with the other sides of their payments: all or none. */
export async function postReversals(
  session: Session,
  guildId: string,
  order: Omit<ReversalOrder, 'transactionId'> & { transactionIds: readonly string[] },
): Promise<{ reversed: number }> {
  const { transactionIds, reason, force, idempotencyKey } = order;
  const { data } = await request(
    'DashboardReversalReply',
    guildPath(guildId, ['transactions', 'reversals']),
    {
      method: 'POST',
      body: { transactionIds, ...(reason !== '' && { reason }), ...(force && { force }) },
      csrfToken: session.csrfToken,
      idempotencyKey,
    },
  );
  return { reversed: data.transactionIds.length };
}

/** Reverses a transaction, together with the other side of its payment. */
export async function postReversal(session: Session, guildId: string, order: ReversalOrder): Promise<void> {
  const { transactionId, reason, force, idempotencyKey } = order;
  await request('DashboardReversalReply', guildPath(guildId, ['transactions', transactionId, 'reversal']), {
    method: 'POST',
    body: { ...(reason !== '' && { reason }), ...(force && { force }) },
    csrfToken: session.csrfToken,
    idempotencyKey,
  });
}

export function toTransaction(wire: WireTransaction): Transaction {
  return { ...wire, amount: String(wire.amount), total: String(wire.total) };
}
