import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { type FilterSet, readFilters, writeFilters } from './search-filters.ts';

interface SearchFilterOptions<Values> {
  /** Set along with every change that does not say otherwise: another filter begins at the first page. */
  resets?: Partial<Values>;
  /** Those that leave records out, unlike the order or the size of a page. */
  narrowing: readonly (keyof Values)[];
}

interface ChangeOptions {
  /** Takes the place of the present entry of the history: for what changes with every letter. */
  isReplacing?: boolean;
  /** Kept with the entry of the history; without it, what the present entry keeps goes along. */
  state?: unknown;
}

export interface SearchFilters<Values> {
  values: Values;
  /** How many of the narrowing filters are in use. */
  narrowedBy: number;
  change: (changes: Partial<Values>, options?: ChangeOptions) => void;
  /** Ends all narrowing. */
  clear: () => void;
}

/** The filters of a page, kept in its address. Pass a set that stays the same, made outside the component. */
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
    // Not the parameters of the last rendering: a field that is left and the button that is pressed for it
    // change the address one right after the other, and neither may undo the other.
    const present = new URLSearchParams(window.location.search);
    const next = writeFilters(filters, present, { ...resets, ...changes });
    setParameters(next, { replace: isReplacing, preventScrollReset: true, state });
  };
  const used = narrowing.filter((name) => filters[name].write(values[name]) !== null);
  const clear = () => {
    const without: Partial<Values> = {};
    for (const name of narrowing) without[name] = usual[name];
    change(without);
  };
  return { values, narrowedBy: used.length, change, clear };
}
