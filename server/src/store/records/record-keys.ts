import type { Discharge, Transfer } from '../../domain/model.ts';

/** Columns stored with a record, by which it is sorted and searched. Both stores write the same. */
export interface RecordKeys {
  /** Milliseconds since 1970; a plain date is its midnight in UTC. */
  dateMs: number;
  nameKey: string;
  searchText: string;
}

export function dischargeKeys({ id, playerId, chatId, name, date }: Discharge): RecordKeys {
  return {
    dateMs: timeOfDate(date),
    nameKey: nameKey(name),
    searchText: searchKey(id, playerId, chatId, name),
  };
}

export function transferKeys({ id, playerId, name, date }: Transfer): RecordKeys {
  return { dateMs: timeOfDate(date), nameKey: nameKey(name), searchText: searchKey(id, playerId, name) };
}

export function timeOfDate(date: string): number {
  return Date.parse(date);
}

export function nameKey(name: string): string {
  return name.toLowerCase();
}

/**
 * Texts in the form in which they are searched, one per line. A search text has no line break, so it never matches
 * across two of them. `toLowerCase` writes a sigma at the end of a word as another letter. Both become one letter, so
 * that a match does not depend on where the search text ends.
 */
export function searchKey(...texts: string[]): string {
  return texts.join('\n').toLowerCase().replaceAll('ς', 'σ');
}
