import { choiceFilter, dayFilter } from '../components/search-filters.ts';
import type { SearchFilters } from '../components/use-search-filters.ts';
import { presets } from './range.ts';

export const overviewFilters = {
  days: choiceFilter(presets, '30'),
  since: dayFilter(),
  until: dayFilter(),
  by: choiceFilter(['auto', 'day', 'week', 'month'], 'auto'),
};

/** What the picture of the overview is drawn for, as the address holds it. */
export type OverviewFilters = SearchFilters<{
  days: (typeof presets)[number];
  since: string;
  until: string;
  by: 'auto' | 'day' | 'week' | 'month';
}>;
