import { DomainError } from '../errors.ts';
import type { Guild } from '../model.ts';
import { type ListingInput, type TransactionFilterInput, toFilter } from './ledger.ts';
import type {
  DetailedTransaction,
  GuildListingQuery,
  LedgerViewStore,
  OpenTimes,
  ViewFilter,
} from './ledger-views.ts';

/** ISO 8601 times: the first is included, the second is not. */
export interface TimesInput {
  since?: string | undefined;
  until?: string | undefined;
}
export interface FilterInput extends TransactionFilterInput, TimesInput {
  search?: string | undefined;
}
export interface GuildListInput extends FilterInput, Pick<ListingInput, 'sortBy' | 'sortOrder'> {}
/** The list of one account. */
export type PlayerListInput = ListingInput & TimesInput;
export type ExportInput = Omit<PlayerListInput, 'page' | 'limit'>;

export function toTimes({ since, until }: TimesInput): OpenTimes {
  const sinceMs = since === undefined ? undefined : Date.parse(since);
  const untilMs = until === undefined ? undefined : Date.parse(until);
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    throw new DomainError('invalid_input', { detail: 'since must be before until' });
  }
  return { sinceMs, untilMs };
}

export function toViewFilter({ search, ...input }: FilterInput): ViewFilter {
  const text = search?.trim() ?? '';
  return { ...toFilter(input), ...toTimes(input), ...(text !== '' && { search: text }) };
}

/**
 * All pages of a list that is not sorted by time. It is limited to `SORTED_MAX` and rejects before the first row when
 * it is longer.
 */
export async function readSorted(
  views: LedgerViewStore,
  guild: Guild,
  query: Omit<GuildListingQuery, 'limit'>,
): Promise<AsyncIterable<DetailedTransaction>> {
  const first = await views.listGuild(guild, { ...query, limit: 1 });
  const rows = first.transactions.length === 0 ? [] : await Array.fromAsync(views.readGuild(guild, query));
  return (async function* () {
    yield* sortTransactions(rows, query);
  })();
}

/** The order of `listGuild`: by the sort key, then by time, in the same direction. */
function sortTransactions(
  newestFirst: DetailedTransaction[],
  { sortBy = 'createdAt', sortOrder = 'desc' }: Pick<GuildListingQuery, 'sortBy' | 'sortOrder'>,
): DetailedTransaction[] {
  const sortValue = ({ amountUnits, quantity, totalUnits, createdAtMs }: DetailedTransaction) =>
    ({ amount: amountUnits, quantity, total: totalUnits, createdAt: createdAtMs })[sortBy];
  const descending = newestFirst.sort((one, other) => sortValue(other) - sortValue(one));
  return sortOrder === 'desc' ? descending : descending.reverse();
}
