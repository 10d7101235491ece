import { type RangeValues, rangeFilters } from '../components/date-range.ts';
import { choiceFilter } from '../components/search-filters.ts';
import type { SearchFilters } from '../components/use-search-filters.ts';

export const overviewFilters = {
  ...rangeFilters,
  by: choiceFilter(['auto', 'day', 'week', 'month'], 'auto'),
  compare: choiceFilter(['on', 'off'], 'on'),
};

/** The filters of the overview, stored in the address. */
export type OverviewFilters = SearchFilters<
  RangeValues & { by: 'auto' | 'day' | 'week' | 'month'; compare: 'on' | 'off' }
>;
