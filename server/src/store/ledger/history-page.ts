import { HISTORY_LOOKED_AT_MAX, type HistoryPage, type HistoryQuery } from '../../domain/ledger/entries.ts';
import { type EntryRow, toEntry } from './entry-row.ts';

/** Above every number. */
export const BEHIND_ALL = Number.MAX_SAFE_INTEGER;

/** A piece of something dense, such as a guild's numbers or an account's seqs: its first, and the one behind its last. */
export interface Window {
  first: number;
  end: number;
}

/** The part of a window that one page looks at: all of it, or with filters the last so many. */
export function lookedAt({ first, end }: Window, isFiltered: boolean): Window {
  return { first: isFiltered ? Math.max(first, end - HISTORY_LOOKED_AT_MAX) : first, end };
}

/**
 * A page from what was found, which is one row more when there is another page. `stop` is the number with which the search
 * ended before everything was looked at.
 */
export function toHistoryPage(
  rows: readonly EntryRow[],
  { limit }: Pick<HistoryQuery, 'limit'>,
  stop: number | undefined,
): HistoryPage {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { entries: rows.slice(0, limit).map(toEntry), next: last?.number ?? stop };
}
