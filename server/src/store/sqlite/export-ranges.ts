import type {
  DetailedTransaction,
  ExportQuery,
  LedgerPosition,
  TransactionFilter,
} from '../../domain/ledger/ledger-views.ts';
import { toDetailed } from '../detailed-row.ts';
import { NEWEST } from '../guild-listing-sql.ts';
import type { AccountKey } from '../listing-sql.ts';
import { type AccountPlace, boundOf, type ExportRange, type ExportReads } from './export-reads.ts';
import type { CallOf } from './write.ts';

/** Reads an account range by range, so that no snapshot is held while the receiver takes its time. */
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

/** The same for a whole guild, newest first. What was posted or imported after the beginning is passed over. */
export async function* readGuildRanges(
  call: CallOf<ExportReads>,
  guildNo: number,
  filter: TransactionFilter,
): AsyncGenerator<DetailedTransaction> {
  const bounds = await call('exportBounds', { guildNo });
  let before: LedgerPosition | undefined = NEWEST;
  do {
    const range: ExportRange<LedgerPosition> = await call('exportGuild', { guildNo, filter, before });
    for (const row of range.rows) {
      if (row.seq <= boundOf(bounds, row.accountNo)) {
        yield toDetailed(row);
      }
    }
    before = range.next;
  } while (before !== undefined);
}
