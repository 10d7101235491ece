import {
  type GuildListing,
  type PlayerListing,
  sortColumns,
  type Times,
} from '../api/transaction-listing.ts';
import { type RangeValues, rangeFilters } from '../components/date-range.ts';
import { choiceFilter, decimalFilter, textFilter, wholeNumberFilter } from '../components/search-filters.ts';

// Names and values are those of the interface, so that an address reads like a request.

const sourceLengthMax = 256;
const idLengthMax = 128;

export const pageSizes = [20, 50, 100] as const;

const shared = {
  ...rangeFilters,
  limit: wholeNumberFilter({ usual: 20, min: 1, max: 100 }),
  from: textFilter(sourceLengthMax),
  minAmount: decimalFilter(),
  maxAmount: decimalFilter(),
  sortBy: choiceFilter(sortColumns, 'createdAt'),
  sortOrder: choiceFilter(['asc', 'desc'], 'desc'),
};

export const playerFilters = {
  ...shared,
  page: wholeNumberFilter({ usual: 1, min: 1, max: Number.MAX_SAFE_INTEGER }),
};

export const guildFilters = {
  ...shared,
  search: textFilter(sourceLengthMax),
  before: textFilter(idLengthMax),
};

export const narrowing = ['from', 'minAmount', 'maxAmount', 'range', 'since', 'until'] as const;
export const guildNarrowing = [...narrowing, 'search'] as const;

export type PlayerValues = Omit<PlayerListing, keyof Times> & RangeValues;
export type GuildValues = Omit<GuildListing, keyof Times> & RangeValues;

/** The query of a request: the values of the address, with the range as exact moments. */
export function playerListingOf({ range: _range, ...values }: PlayerValues, times: Times): PlayerListing {
  return { ...values, ...times };
}

export function guildListingOf({ range: _range, ...values }: GuildValues, times: Times): GuildListing {
  return { ...values, ...times };
}

/** The cursors of the previous pages, from the history's state. Any other state gives an empty list. */
export function readTrail(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('trail' in state)) return [];
  return Array.isArray(state.trail) ? state.trail.filter((cursor) => typeof cursor === 'string') : [];
}

const lastSearches = new Map<string, string>();

/** Stores the filters of a guild's ledger, so that the link back from a player restores them. */
export function rememberLedger(guildId: string, search: string): void {
  lastSearches.set(guildId, search);
}

export function lastLedger(guildId: string): string {
  return lastSearches.get(guildId) ?? '';
}

/** True when a search text can be the id of a player, who may have no account yet. */
export function isPlayerId(search: string): boolean {
  const text = search.trim();
  return text !== '' && text.length <= idLengthMax && !/\s/.test(text);
}

/** The part of an address that a saved view keeps: neither the page nor an open transaction. */
export function viewSearch(search: string): string {
  const parameters = new URLSearchParams(search);
  for (const name of ['before', 'page', 'record']) parameters.delete(name);
  return parameters.toString();
}
