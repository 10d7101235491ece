import { createCache } from '../../domain/cache.ts';
import type { EntryStore } from '../../domain/ledger/entries.ts';
import type { LedgerViewStore } from '../../domain/ledger/ledger-views.ts';
import type { GuildRef } from '../../domain/model.ts';
import type { MemberStore } from '../../domain/people/member-store.ts';
import type { Clock } from '../../domain/ports.ts';
import { NOW_MS } from './schema.ts';
import { prepare } from './statement.ts';
import type { Writer } from './transactions.ts';

/** This many accounts of a guild may stay out of the order of balances. Every page by balance reads them. */
const MOVING_MAX = 50;
/** Accounts settled in one transaction, for which posts of the guild wait. */
const BATCH = 200;
/** A guild is looked at this often at most, while its accounts are listed by balance. */
const LOOK_EVERY_MS = 10_000;
/** Guilds whose last look is known. One that is not is looked at too early. */
const GUILDS_MAX = 10_000;

// Posts update accounts by their place in the table, so an account must not be moved while one is under way.
const TRY_LOCK = prepare<{ last: number | null }>('SELECT lock_ledger($1, false) AS last');
const FIND_IDLE = prepare<{ accountNo: number }>(
  `SELECT account_no AS "accountNo" FROM account
   WHERE guild_no = $1 AND ordered_balance IS NULL AND last_created_at < ${NOW_MS} - 60000
   ORDER BY ordered_balance, account_no LIMIT ${BATCH} OFFSET ${MOVING_MAX}`,
);
// Two statements, because a distributed store would run one with a subselect in two steps as well.
const SETTLE = prepare(
  'UPDATE account SET ordered_balance = balance WHERE guild_no = $1 AND account_no = ANY ($2::bigint[])',
);

/** Notes that accounts of a guild are listed by balance. */
export type NoteListing = (guildNo: number) => void;

/**
 * Settles accounts of guilds whose accounts are listed by balance: those without a transaction in the last minute get
 * their place in the index again, except MOVING_MAX. A guild that nobody lists costs nothing.
 */
export function createSettling(
  writer: Pick<Writer, 'write' | 'isHeld'>,
  clock: Pick<Clock, 'monotonicMs'>,
): NoteListing {
  const looks = createCache<number>(GUILDS_MAX);

  const settleBatch = (guildNo: number): Promise<number> =>
    writer.write('settle accounts', async (transaction) => {
      const { last = null } = (await transaction.first(TRY_LOCK, [guildNo])) ?? {};
      const idle = last === null ? [] : await transaction.all(FIND_IDLE, [guildNo]);
      const accountNos = idle.map(({ accountNo }) => accountNo);
      return idle.length === 0 ? 0 : transaction.run(SETTLE, [guildNo, accountNos]);
    });

  async function settle(guildNo: number): Promise<void> {
    while ((await settleBatch(guildNo)) === BATCH) {
      // The next batch.
    }
  }

  return (guildNo) => {
    const now = clock.monotonicMs();
    const last = looks.get(String(guildNo));
    if (writer.isHeld() || (last !== undefined && now - last < LOOK_EVERY_MS)) {
      return;
    }
    looks.set(String(guildNo), now);
    // Lists are right without it, and a later one tries again.
    settle(guildNo).catch(() => {});
  };
}

interface Stores {
  members: MemberStore;
  entries: EntryStore;
  ledgerViews: LedgerViewStore;
}

/** The same stores, whose lists by balance are noted. */
export function noteListings({ members, entries, ledgerViews }: Stores, note: NoteListing): Stores {
  const noted = <Result>({ guildNo }: GuildRef, listing: Result): Result => {
    note(guildNo);
    return listing;
  };
  return {
    members: { ...members, list: (guild, query) => noted(guild, members.list(guild, query)) },
    entries: { ...entries, balances: (guild, query) => noted(guild, entries.balances(guild, query)) },
    ledgerViews: {
      ...ledgerViews,
      largestBalances: (guild, limit) => noted(guild, ledgerViews.largestBalances(guild, limit)),
      countAbove: (guild, units) => noted(guild, ledgerViews.countAbove(guild, units)),
      overdrawn: (guild, limit) => noted(guild, ledgerViews.overdrawn(guild, limit)),
    },
  };
}
