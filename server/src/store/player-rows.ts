import type { PlayerAccount, PlayerBalance } from '../domain/ledger/ledger-views.ts';

export interface BalanceRow {
  playerId: string;
  username: string | null;
  balanceUnits: number;
  transactions: number;
}

export interface AccountRow extends BalanceRow {
  chatId: string | null;
  floorUnits: number | null;
  firstAtMs: number;
  lastAtMs: number;
}

/** Every text that begins with another one sorts before that one with this character behind it. */
export const LAST_CHARACTER = '\u{10ffff}';

/** The player whose id it is comes first, then verified names, then ids; nobody twice. */
export function rankPlayers(
  text: string,
  { named, ids }: { named: readonly BalanceRow[]; ids: readonly BalanceRow[] },
  limit: number,
): PlayerBalance[] {
  const exact = ids.filter(({ playerId }) => playerId === text);
  const found = new Map([...exact, ...named, ...ids].map((row) => [row.playerId, row]));
  return Array.from(found.values(), toBalance).slice(0, limit);
}

export function toAccount(row: AccountRow): PlayerAccount {
  const { chatId, floorUnits, firstAtMs, lastAtMs } = row;
  return {
    ...toBalance(row),
    chatId: chatId ?? undefined,
    floorUnits: floorUnits ?? undefined,
    firstAtMs,
    lastAtMs,
  };
}

export function toBalance({ playerId, username, balanceUnits, transactions }: BalanceRow): PlayerBalance {
  return { playerId, username: username ?? undefined, balanceUnits, transactions };
}
