import { type RangeValues, rangeFilters } from '../components/date-range.ts';
import { choiceFilter, dayFilter } from '../components/search-filters.ts';
import type { SearchFilters } from '../components/use-search-filters.ts';

export const overviewFilters = {
  ...rangeFilters,
  by: choiceFilter(['auto', 'day', 'week', 'month'], 'auto'),
  compare: choiceFilter(['on', 'off'], 'on'),
  chart: choiceFilter(['flow', 'total'], 'flow'),
  /** The day of the total on a date. */
  on: dayFilter(),
};

/** The filters of the overview, stored in the address. */
export type OverviewFilters = SearchFilters<
  RangeValues & {
    by: 'auto' | 'day' | 'week' | 'month';
    compare: 'on' | 'off';
    chart: 'flow' | 'total';
    on: string;
  }
>;
