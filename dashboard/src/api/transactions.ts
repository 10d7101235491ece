import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { downloadAddress, guildPath } from './guild-path.ts';
import {
  readChoice,
  readCount,
  readDecimal,
  readOptionalText,
  readRecord,
  readRecords,
  readText,
  readTexts,
} from './read.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

const posterKinds = ['key', 'user', 'import'] as const;

export interface Transaction {
  transactionId: string;
  playerId: string;
  username: string | null;
  /** Its number within the account: 1, 2, 3, ... */
  seq: number;
  /** Amounts are decimal texts here, so that nothing in the pages calculates with rounded numbers. */
  amount: string;
  quantity: number;
  name: string;
  source: string;
  total: string;
  balanceAfter: string;
  createdAt: string;
  postedBy: {
    kind: (typeof posterKinds)[number];
    id: string | null;
    name: string | null;
    prefix: string | null;
  };
}

export const sortColumns = ['amount', 'quantity', 'total', 'createdAt'] as const;
export type SortColumn = (typeof sortColumns)[number];

/** The interface's own filters. '' is none. */
export interface TransactionFilters {
  from: string;
  minAmount: string;
  maxAmount: string;
}

export interface PlayerListing extends TransactionFilters {
  page: number;
  limit: number;
  sortBy: SortColumn;
  sortOrder: 'asc' | 'desc';
}

export interface GuildListing extends TransactionFilters {
  limit: number;
  /** Where the page before ended; '' for the newest. */
  before: string;
}

export interface Correction {
  name: string;
  quantity: number;
  amount: number;
  /** Says once more which of the two is meant, so that a sign gone wrong is refused. */
  deposit?: true;
  withdrawal?: true;
}

export function playerTransactionsQuery(guildId: string, playerId: string, listing: PlayerListing) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'player', playerId, 'transactions', listing],
    queryFn: async () => {
      const path = guildPath(guildId, ['players', playerId, 'transactions'], { ...listing });
      const { data, pagination } = await request(path);
      const { total, totalPages } = readRecord(pagination);
      return {
        transactions: readRecords(readRecord(data).transactions).map(readTransaction),
        total: readCount(total),
        totalPages: readCount(totalPages),
      };
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function guildTransactionsQuery(guildId: string, listing: GuildListing) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'transactions', listing],
    queryFn: async () => {
      const { data } = await request(guildPath(guildId, ['transactions'], { ...listing }));
      return readGuildPage(readRecord(data));
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export interface GuildPage {
  transactions: Transaction[];
  /** Where older ones go on; null at the end. */
  next: string | null;
  /** Set where the search stopped before the page was full: everything newer was looked at. */
  searchedTo: string | null;
  /** Null where counting would take too long. */
  total: number | null;
  sources: string[];
}

function readGuildPage(data: Record<string, unknown>): GuildPage {
  return {
    transactions: readRecords(data.transactions).map(readTransaction),
    next: readOptionalText(data.next),
    searchedTo: readOptionalText(data.searchedTo),
    total: typeof data.total === 'number' ? data.total : null,
    sources: readTexts(data.sources),
  };
}

/** Where the browser gets the filtered transactions of a player as a file. */
export function playerExportAddress(guildId: string, playerId: string, listing: PlayerListing): string {
  const { page: _page, limit: _limit, ...query } = listing;
  return downloadAddress(guildId, ['players', playerId, 'transactions.csv'], query);
}

export function guildExportAddress(guildId: string, filters: TransactionFilters): string {
  const { from, minAmount, maxAmount } = filters;
  return downloadAddress(guildId, ['transactions.csv'], { from, minAmount, maxAmount });
}

interface CorrectionOrder {
  playerId: string;
  correction: Correction;
  /** The same for every attempt at one correction, so that it is posted once at most. */
  idempotencyKey: string;
}

/** Posts to a player's account and returns the balance right after. */
export async function postCorrection(session: Session, guildId: string, order: CorrectionOrder) {
  const { playerId, correction, idempotencyKey } = order;
  const { data } = await request(guildPath(guildId, ['players', playerId, 'transactions']), {
    method: 'POST',
    body: correction,
    csrfToken: session.csrfToken,
    idempotencyKey,
  });
  return { balance: readText(readRecord(data).balance) };
}

function readTransaction(record: Record<string, unknown>): Transaction {
  const poster = readRecord(record.postedBy);
  return {
    transactionId: readText(record.transactionId),
    playerId: readText(record.playerId),
    username: readOptionalText(record.username),
    seq: readCount(record.seq),
    amount: readDecimal(record.amount),
    quantity: readCount(record.quantity),
    name: readText(record.name),
    source: readText(record.source),
    total: readDecimal(record.total),
    balanceAfter: readText(record.balanceAfter) || '0',
    createdAt: readText(record.createdAt),
    postedBy: {
      kind: readChoice(poster.kind, posterKinds, 'import'),
      id: readOptionalText(poster.id),
      name: readOptionalText(poster.name),
      prefix: readOptionalText(poster.prefix),
    },
  };
}
