import type { PlayerTurnover, TopPlayers } from '../domain/ledger/ledger-views.ts';

export interface TurnoverRow {
  kind: 'in' | 'out';
  playerId: string;
  username: string | null;
  count: number;
}

/** Rows come in order, the largest first. */
export function toTopPlayers(
  rows: readonly (TurnoverRow & { units: bigint })[],
  searchedToMs: number | undefined,
): TopPlayers {
  const of = (kind: TurnoverRow['kind']): PlayerTurnover[] =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ playerId, username, count, units }) => ({
        playerId,
        username: username ?? undefined,
        count,
        units,
      }));
  return { earners: of('in'), spenders: of('out'), searchedToMs };
}
