import type { Guild } from '../model.ts';
import type { BalanceSpan } from './balance-span.ts';
import type { LedgerViewStore, MoneySums, OpenTimes, ShownTransaction } from './ledger-views.ts';
import { addUp, remainder } from './overview.ts';

const SOURCES_SHOWN_MAX = 12;
/** Columns of the chart of a balance. */
const HISTORY_SPANS_MAX = 400;
const MOVES_SHOWN_MAX = 3;

/** The sums of an account in a range of time. */
export interface PlayerActivity {
  openingUnits: number;
  closingUnits: number;
  all: MoneySums;
  /** The largest sources. The entry without a name is the sum of all others. */
  sources: (MoneySums & { source: string | undefined })[];
  history: BalanceSpan[];
  /** Set when the range begins in the archived part: see `AccountSums`. */
  archivedUntilMs: number | undefined;
  /** The largest deposits and withdrawals, largest first. */
  moves: ShownTransaction[];
}

export async function readActivity(
  views: LedgerViewStore,
  guild: Guild,
  playerId: string,
  times: OpenTimes,
): Promise<PlayerActivity> {
  const page = { page: 1, limit: MOVES_SHOWN_MAX, source: undefined, sortBy: 'total', ...times } as const;
  const [sums, history, deposits, withdrawals] = await Promise.all([
    views.accountSums(guild, playerId, times, SOURCES_SHOWN_MAX),
    views.history(guild, playerId, HISTORY_SPANS_MAX, times),
    views.list(guild, playerId, { ...page, sortOrder: 'desc', minUnits: 0, maxUnits: undefined }),
    views.list(guild, playerId, { ...page, sortOrder: 'asc', minUnits: undefined, maxUnits: 0 }),
  ]);
  const { openingUnits, closingUnits, all, sources, archivedUntilMs } = sums ?? {
    openingUnits: 0,
    closingUnits: 0,
    all: addUp([]),
    sources: [],
    archivedUntilMs: undefined,
  };
  return {
    openingUnits,
    closingUnits,
    all,
    sources: [...sources, ...remainder(all, sources)],
    history,
    archivedUntilMs,
    moves: [...deposits.transactions, ...withdrawals.transactions],
  };
}
