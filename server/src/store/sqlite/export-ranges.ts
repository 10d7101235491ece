import type { DetailedTransaction, ExportQuery, LedgerPosition } from '../../domain/ledger/ledger-views.ts';
import type { SortOrder } from '../../domain/model.ts';
import { toDetailed } from '../ledger/detailed-row.ts';
import { NEWEST, OLDEST, placeAt, type Stretch } from '../ledger/guild-listing-sql.ts';
import type { AccountKey } from '../ledger/listed-account.ts';
import type { SearchedFilter } from '../ledger/searched.ts';
import { type AccountPlace, boundOf, type ExportRange, type ExportReads } from './export-reads.ts';
import type { CallOf } from './thread-calls.ts';

/** Streams an account range by range, so that no snapshot is held while the receiver is slow. */
export async function* readAccountRanges(
  call: CallOf<ExportReads>,
  account: AccountKey,
  query: ExportQuery,
): AsyncGenerator<DetailedTransaction> {
  let after: AccountPlace | undefined;
  do {
    const range: ExportRange<AccountPlace> = await call('exportAccount', { account, query, after });
    for (const row of range.rows) {
      yield toDetailed(row);
    }
    after = range.next;
  } while (after !== undefined);
}

/** Streams a whole guild by time in the same way. Skips what was posted or imported after the start. */
export async function* readGuildRanges(
  call: CallOf<ExportReads>,
  guildNo: number,
  { filter, order }: { filter: SearchedFilter; order: SortOrder },
): AsyncGenerator<DetailedTransaction> {
  const bounds = await call('exportBounds', { guildNo });
  const { sinceMs, untilMs } = filter;
  let stretch: Stretch | undefined = {
    earlier: sinceMs === undefined ? OLDEST : placeAt(sinceMs),
    later: untilMs === undefined ? NEWEST : placeAt(untilMs),
  };
  do {
    const range: ExportRange<LedgerPosition> = await call('exportGuild', { guildNo, filter, stretch, order });
    for (const row of range.rows) {
      if (row.seq <= boundOf(bounds, row.accountNo)) {
        yield toDetailed(row);
      }
    }
    stretch = range.next && { ...stretch, [order === 'desc' ? 'later' : 'earlier']: range.next };
  } while (stretch !== undefined);
}
