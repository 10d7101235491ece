import { HISTORY_LOOKED_AT_MAX, type HistoryPage, type HistoryQuery } from '../../domain/ledger/entries.ts';
import { type EntryRow, toEntry } from './entry-row.ts';

/** Larger than every transaction number. */
export const BEHIND_ALL = Number.MAX_SAFE_INTEGER;

/** A range of a sequence without gaps, such as a guild's numbers or an account's seqs. `end` comes after its last. */
export interface Window {
  first: number;
  end: number;
}

/** The part of a window that one page visits: all of it, or with filters the last HISTORY_LOOKED_AT_MAX. */
export function lookedAt({ first, end }: Window, isFiltered: boolean): Window {
  return { first: isFiltered ? Math.max(first, end - HISTORY_LOOKED_AT_MAX) : first, end };
}

/**
 * Makes a page of the rows found, which are one more than `limit` when there is another page. `stop` is the number at
 * which the search ended early.
 */
export function toHistoryPage(
  rows: readonly EntryRow[],
  { limit }: Pick<HistoryQuery, 'limit'>,
  stop: number | undefined,
): HistoryPage {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { entries: rows.slice(0, limit).map(toEntry), next: last?.number ?? stop };
}
