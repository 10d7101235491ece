import type { ListingQuery } from '../model.ts';

/** A page of an account's transactions without filters, newest first. */
export function newest(limit: number, page = 1): ListingQuery {
  const filters = { source: undefined, minUnits: undefined, maxUnits: undefined };
  return { page, limit, sortBy: 'createdAt', sortOrder: 'desc', ...filters };
}
