import type { SortOrder, TimeRange } from '../model.ts';

export const RECORD_SORT_KEYS = ['date', 'name'] as const;
export type RecordSortKey = (typeof RECORD_SORT_KEYS)[number];

/** Filters and order of a list of records. Equal ones are ordered by id, in the same direction. */
export interface RecordFilter {
  /** Part of the name, of the id, of the player or of the chat account, in either case. Undefined: all. */
  search: string | undefined;
  range: TimeRange;
  /** Names are sorted in lower case. All texts are compared by code points. */
  sortBy: RecordSortKey;
  sortOrder: SortOrder;
}

export interface DischargeFilter extends RecordFilter {
  /** Exactly this type. Undefined: all. */
  type: string | undefined;
}

/** Filters of a list that is paged by cursors. */
export interface RecordWalkFilter {
  search: string | undefined;
  range: TimeRange;
  /** Exactly this type of discharge. Undefined: all. */
  type: string | undefined;
  playerId: string | undefined;
}

/** A position in the order of dates: by date, then by id. */
export interface RecordPosition {
  dateMs: number;
  id: string;
}

export interface RecordWalk extends RecordWalkFilter {
  /** Only records before this position; undefined starts with the newest. */
  before: RecordPosition | undefined;
  limit: number;
}

export interface PageOf {
  page: number;
  limit: number;
}

export interface RecordPage<Item> {
  records: Item[];
  /** The number of matches on all pages. */
  total: number;
}
