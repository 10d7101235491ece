import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import { readCount, readOptionalText, readRecord, readRecords, readText, readTexts } from './read.ts';
import { request } from './request.ts';

export interface Player {
  playerId: string;
  /** The verified name; null where there is none. */
  username: string | null;
  /** A decimal text, as all balances and sums. */
  balance: string;
  transactions: number;
}

export interface BalancePoint {
  at: string;
  balance: string;
}

export interface PlayerDetails extends Player {
  chatId: string | null;
  firstAt: string | null;
  lastAt: string | null;
  history: BalancePoint[];
  /** Sources seen lately in the guild, for filters. */
  sources: string[];
}

const foundMax = 8;

/** Players whose id or verified name begins with the text; with none, those with the largest balances. */
export function playersQuery(guildId: string, text: string) {
  const query = text.trim();
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'players', query],
    queryFn: async () => {
      const { data } = await request(guildPath(guildId, ['players'], { query, limit: foundMax }));
      return readRecords(data).map(readPlayer);
    },
    placeholderData: keepPreviousData,
  });
}

/** One player. Without an account there is nothing in it, which is no error. */
export function playerQuery(guildId: string, playerId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'player', playerId],
    queryFn: async () => {
      const { data } = await request(guildPath(guildId, ['players', playerId]));
      return readDetails(readRecord(data));
    },
    refetchOnWindowFocus: true,
  });
}

export function readPlayer(record: Record<string, unknown>): Player {
  return {
    playerId: readText(record.playerId),
    username: readOptionalText(record.username),
    balance: readText(record.balance) || '0',
    transactions: readCount(record.transactions),
  };
}

function readDetails(record: Record<string, unknown>): PlayerDetails {
  return {
    ...readPlayer(record),
    chatId: readOptionalText(record.chatId),
    firstAt: readOptionalText(record.firstAt),
    lastAt: readOptionalText(record.lastAt),
    history: readRecords(record.history).map((point) => ({
      at: readText(point.at),
      balance: readText(point.balance) || '0',
    })),
    sources: readTexts(record.sources),
  };
}
