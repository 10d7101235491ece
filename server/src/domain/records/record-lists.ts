import type { SortOrder, TimeRange } from '../model.ts';

export const RECORD_SORT_KEYS = ['date', 'name'] as const;
export type RecordSortKey = (typeof RECORD_SORT_KEYS)[number];

/** Which records, and in which order. Equal ones are ordered by id, in the same direction. */
export interface RecordFilter {
  /** Part of the name, of the id, of the player or of the chat account, whatever the case. Undefined: all. */
  search: string | undefined;
  range: TimeRange;
  /** Names are sorted by their lower case. All texts are compared code point by code point. */
  sortBy: RecordSortKey;
  sortOrder: SortOrder;
}

export interface DischargeFilter extends RecordFilter {
  /** Exactly this kind. Undefined: all. */
  type: string | undefined;
}

/** What a list along a cursor looks for. */
export interface RecordWalkFilter {
  search: string | undefined;
  range: TimeRange;
  /** Exactly this kind of discharge. Undefined: all. */
  type: string | undefined;
  playerId: string | undefined;
}

/** A place in the order of dates, which is total: by date, then by id. */
export interface RecordPosition {
  dateMs: number;
  id: string;
}

export interface RecordWalk extends RecordWalkFilter {
  /** Only records before this place; undefined begins with the newest. */
  before: RecordPosition | undefined;
  limit: number;
}

export interface PageOf {
  page: number;
  limit: number;
}

export interface RecordPage<Item> {
  records: Item[];
  /** How many match the filter, on all pages together. */
  total: number;
}
