import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type AccountRef, accountKey, accountParts } from './account-ref.ts';
import { downloadAddress, guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Times } from './transaction-listing.ts';
import { type Transaction, toTransaction } from './transactions.ts';

type WireStatement = Reply<'StatementReply'>['data'];

/** The transactions of a range with the balances before and after. */
export interface Statement extends Omit<WireStatement, 'transactions'> {
  transactions: Transaction[];
}

/** An account at a moment, which is included. */
export function balanceQuery(guildId: string, account: AccountRef, at: string) {
  return queryOptions({
    queryKey: [...accountKey(guildId, account), 'balance', at],
    queryFn: async () => {
      const path = guildPath(guildId, [...accountParts(account), 'balance'], { at });
      return (await request('BalanceReply', path)).data;
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function statementQuery(guildId: string, account: AccountRef, times: Times) {
  return queryOptions({
    queryKey: [...accountKey(guildId, account), 'statement', times],
    queryFn: async (): Promise<Statement> => {
      const path = guildPath(guildId, [...accountParts(account), 'statement'], { ...times });
      const { data } = await request('StatementReply', path);
      return { ...data, transactions: data.transactions.map(toTransaction) };
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function statementExportAddress(
  guildId: string,
  account: AccountRef,
  query: Times & { timeZone: string },
): string {
  return downloadAddress(guildId, [...accountParts(account), 'statement.csv'], { ...query });
}
