import { queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import { readCount, readRecord, readRecords, readText } from './read.ts';
import { ApiError, request } from './request.ts';

export interface GameAccount {
  playerId: string;
  username: string;
}

/** What the guild knows under one account of a person. */
export interface AccountFacts extends GameAccount {
  isCurrent: boolean;
  /** An exact decimal. */
  balance: string;
  transactions: number;
  discharges: number;
  transfers: number;
}

export interface Person {
  chatId: string;
  playerId: string;
  username: string;
  /** Newest first. */
  pastUsers: GameAccount[];
  accounts: AccountFacts[];
}

/** Null when nobody is verified under the query: that is an answer, not a failure. */
export function personQuery(guildId: string, query: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'verifications', query],
    queryFn: () => fetchPerson(guildId, query),
    enabled: query !== '',
  });
}

async function fetchPerson(guildId: string, query: string): Promise<Person | null> {
  try {
    return readPerson(readRecord((await request(guildPath(guildId, ['verifications'], { query }))).data));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function readPerson(record: Record<string, unknown>): Person {
  return {
    ...readAccount(record),
    chatId: readText(record.chatId),
    pastUsers: readRecords(record.pastUsers).map(readAccount),
    accounts: readRecords(record.accounts).map((account) => ({
      ...readAccount(account),
      isCurrent: account.isCurrent === true,
      balance: readText(account.balance) || '0',
      transactions: readCount(account.transactions),
      discharges: readCount(account.discharges),
      transfers: readCount(account.transfers),
    })),
  };
}

function readAccount(record: Record<string, unknown>): GameAccount {
  return { playerId: readText(record.playerId), username: readText(record.username) };
}
