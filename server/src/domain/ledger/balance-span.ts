/**
 * The balance from the first to the last transaction of one column of a chart. Until the next span begins it stays
 * `lastUnits`.
 */
export interface BalanceSpan {
  fromMs: number;
  /** The balance after the first transaction of the span. */
  firstUnits: number;
  toMs: number;
  /** The balance after the last one. */
  lastUnits: number;
  lowestUnits: number;
  highestUnits: number;
}
