import type { RecordQuery } from '../api/records.ts';
import {
  choiceFilter,
  dayFilter,
  type FilterSet,
  textFilter,
  wholeNumberFilter,
} from '../components/search-filters.ts';

export const pageSizes = [20, 50, 100] as const;
const textLengthMax = 256;

export const recordFilters: FilterSet<RecordQuery> = {
  query: textFilter(textLengthMax),
  type: textFilter(textLengthMax),
  since: dayFilter(),
  until: dayFilter(),
  sortBy: choiceFilter(['date', 'name'], 'date'),
  sortOrder: choiceFilter(['asc', 'desc'], 'desc'),
  page: wholeNumberFilter({ usual: 1, min: 1, max: Number.MAX_SAFE_INTEGER }),
  limit: wholeNumberFilter({ usual: 20, min: 1, max: 100 }),
};

export const narrowingFilters = ['query', 'type', 'since', 'until'] as const;

/** The query of a request. In a range that ends before it begins, the end is dropped. */
export function askedQuery(values: RecordQuery, { hasType }: { hasType: boolean }): RecordQuery {
  const { since, until } = values;
  const isReversed = since !== '' && until !== '' && since > until;
  return {
    ...values,
    query: values.query.trim(),
    type: hasType ? values.type : '',
    until: isReversed ? '' : until,
  };
}
