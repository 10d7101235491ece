export const sortColumns = ['amount', 'quantity', 'total', 'createdAt'] as const;
export type SortColumn = (typeof sortColumns)[number];

/** The filters of the interface. '' means no filter. */
export interface TransactionFilters {
  from: string;
  minAmount: string;
  maxAmount: string;
}

/** Exact moments, such as `2027-01-31T00:00:00.000Z`: the first is included, the second is not. '' is an open end. */
export interface Times {
  since: string;
  until: string;
}

export interface PlayerListing extends TransactionFilters, Times {
  page: number;
  limit: number;
  sortBy: SortColumn;
  sortOrder: 'asc' | 'desc';
}

export interface GuildListing extends TransactionFilters, Times {
  limit: number;
  /** Part of a name or source, the beginning of a player's name, or exactly the id of a player or transaction. */
  search: string;
  sortBy: SortColumn;
  sortOrder: 'asc' | 'desc';
  /** The `next` of the previous page; '' for the first. */
  before: string;
}
