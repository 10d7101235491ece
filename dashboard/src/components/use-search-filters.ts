import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { type FilterSet, presentParameters, readFilters, writeFilters } from './search-filters.ts';

interface SearchFilterOptions<Values> {
  /** Values that every change resets, unless it sets them itself, such as the page number. */
  resets?: Partial<Values>;
  /** The filters that leave records out, unlike the order or the page size. */
  narrowing: readonly (keyof Values)[];
}

interface ChangeOptions {
  /** Replaces the present entry of the history, for values that change with every keystroke. */
  isReplacing?: boolean;
  /** The state of the history's entry. Without it the present state is kept. */
  state?: unknown;
}

export interface SearchFilters<Values> {
  values: Values;
  /** The number of active narrowing filters. */
  narrowedBy: number;
  change: (changes: Partial<Values>, options?: ChangeOptions) => void;
  /** Resets all narrowing filters. */
  clear: () => void;
}

/** The filters of a page, stored in its address. Pass a constant set, created outside of the component. */
export function useSearchFilters<Values extends object>(
  filters: FilterSet<Values>,
  { resets, narrowing }: SearchFilterOptions<NoInfer<Values>>,
): SearchFilters<Values> {
  const [parameters, setParameters] = useSearchParams();
  const location = useLocation();
  const values = useMemo(() => readFilters(filters, parameters), [filters, parameters]);
  const usual = readFilters(filters, new URLSearchParams());
  const change = (changes: Partial<Values>, options: ChangeOptions = {}) => {
    const { isReplacing = false, state = location.state } = options;
    const present = presentParameters();
    const next = writeFilters(filters, present, { ...resets, ...changes });
    if (next.toString() === present.toString()) return;
    // A click that made a field lose the focus must meet a page that has the new filter.
    setParameters(next, { replace: isReplacing, preventScrollReset: true, state, flushSync: true });
  };
  const used = narrowing.filter((name) => filters[name].write(values[name]) !== null);
  const clear = () => {
    const without: Partial<Values> = {};
    for (const name of narrowing) without[name] = usual[name];
    change(without);
  };
  return { values, narrowedBy: used.length, change, clear };
}
