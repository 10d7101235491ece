import { sortColumns } from '../api/transactions.ts';
import { choiceFilter, decimalFilter, textFilter, wholeNumberFilter } from '../components/search-filters.ts';

// Names and values are those of the interface, so that an address reads like a request.

const sourceLengthMax = 256;
const idLengthMax = 128;

export const pageSizes = [20, 50, 100] as const;

const shared = {
  limit: wholeNumberFilter({ usual: 20, min: 1, max: 100 }),
  from: textFilter(sourceLengthMax),
  minAmount: decimalFilter(),
  maxAmount: decimalFilter(),
};

export const playerFilters = {
  ...shared,
  page: wholeNumberFilter({ usual: 1, min: 1, max: Number.MAX_SAFE_INTEGER }),
  sortBy: choiceFilter(sortColumns, 'createdAt'),
  sortOrder: choiceFilter(['asc', 'desc'], 'desc'),
};

export const guildFilters = {
  ...shared,
  before: textFilter(idLengthMax),
};

export const narrowing = ['from', 'minAmount', 'maxAmount'] as const;

/** The pages that led to this one, from the history's state. Whatever else stands there is no trail. */
export function readTrail(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('trail' in state)) return [];
  return Array.isArray(state.trail) ? state.trail.filter((cursor) => typeof cursor === 'string') : [];
}
