import type { RequestFilters } from '../api/requests.ts';
import { choiceFilter, type FilterSet, textFilter, wholeNumberFilter } from '../components/search-filters.ts';

const idLengthMax = 128;
const cursorLengthMax = 256;

/** The filters in the address, the days of the chart, and the place where the page begins. */
export interface RequestView {
  key: string;
  show: 'refused' | 'all';
  route: string;
  code: string;
  id: string;
  days: number;
  cursor: string;
}

export const requestFilters: FilterSet<RequestView> = {
  key: textFilter(idLengthMax),
  show: choiceFilter(['refused', 'all'], 'refused'),
  route: textFilter(idLengthMax),
  code: textFilter(idLengthMax),
  id: textFilter(idLengthMax),
  days: wholeNumberFilter({ usual: 7, min: 1, max: 90 }),
  cursor: textFilter(cursorLengthMax),
};

export const narrowingFilters = ['key', 'route', 'code', 'id'] as const;

/** The filters of the request. */
export function askedFilters({ key, show, route, code, id }: RequestView): RequestFilters {
  return {
    keyId: key,
    refused: show === 'refused' ? 'true' : '',
    route,
    code,
    requestId: id.trim(),
  };
}
