/** Sums of the dashboard's money pages. They are bigint, because they may exceed the safe integers. */

export interface MoneySums {
  depositCount: number;
  depositUnits: bigint;
  withdrawalCount: number;
  /** A positive number. */
  withdrawalUnits: bigint;
}

/** Sums of the matches of a filter. */
export interface FilteredSums extends MoneySums {
  /** Set when the range has too many transactions, or archived ones: everything from this time on was added up. */
  searchedToMs: number | undefined;
}

export interface DaySums extends MoneySums {
  day: number;
  /** Accounts whose first transaction was made on this day. */
  accountsOpened: number;
}

/** Sums between two times, which need not be the ends of days. */
export interface SpanSums extends MoneySums {
  accountsOpened: number;
}

/** The sum that a player earned or spent. */
export interface PlayerTurnover {
  playerId: string;
  username: string | undefined;
  count: number;
  /** A positive number. */
  units: bigint;
}

export interface TopPlayers {
  earners: PlayerTurnover[];
  spenders: PlayerTurnover[];
  /**
   * Set when the range has more transactions than are looked at, or archived ones: everything from this time on was
   * counted.
   */
  searchedToMs: number | undefined;
}
