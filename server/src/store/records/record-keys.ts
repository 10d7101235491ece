import type { Discharge, Transfer } from '../../domain/model.ts';

/** What is kept beside a record so that it can be sorted and searched. Both stores write the same. */
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
 * Texts in the form in which they are searched, one to a line; no line break can be searched for, so that nothing is
 * found across two of them. At the end of a word lower case makes another letter of a sigma, which must not depend on
 * where a search happens to end.
 */
export function searchKey(...texts: string[]): string {
  return texts.join('\n').toLowerCase().replaceAll('ς', 'σ');
}
