import { keepPreviousData, queryOptions } from '@tanstack/react-query';
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

/** The account of a player at a moment, which is included. */
export function balanceQuery(guildId: string, playerId: string, at: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'player', playerId, 'balance', at],
    queryFn: async () => {
      const path = guildPath(guildId, ['players', playerId, 'balance'], { at });
      return (await request('BalanceReply', path)).data;
    },
    placeholderData: keepPreviousData,
  });
}

export function statementQuery(guildId: string, playerId: string, times: Times) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'player', playerId, 'statement', times],
    queryFn: async (): Promise<Statement> => {
      const path = guildPath(guildId, ['players', playerId, 'statement'], { ...times });
      const { data } = await request('StatementReply', path);
      return { ...data, transactions: data.transactions.map(toTransaction) };
    },
    placeholderData: keepPreviousData,
  });
}

export function statementExportAddress(
  guildId: string,
  playerId: string,
  query: Times & { timeZone: string },
): string {
  return downloadAddress(guildId, ['players', playerId, 'statement.csv'], { ...query });
}
