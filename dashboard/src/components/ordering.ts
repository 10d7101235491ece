export interface Ordering<SortBy extends string = string> {
  sortBy: SortBy;
  isDescending: boolean;
}

/** The order after a click on a column's heading: first descending, then ascending. */
export function nextOrdering<SortBy extends string>(
  current: Ordering<SortBy> | undefined,
  { sortBy, isAscendingFirst = false }: { sortBy: SortBy; isAscendingFirst?: boolean },
): Ordering<SortBy> {
  if (current?.sortBy === sortBy) return { sortBy, isDescending: !current.isDescending };
  return { sortBy, isDescending: !isAscendingFirst };
}
