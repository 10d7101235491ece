import { createCache } from '../cache.ts';
import type { Store } from '../ports.ts';
import type { LedgerViewStore, PlayerBalance } from './ledger-views.ts';

const CACHED_GUILDS_MAX = 1_000;

/**
 * `largestBalances` with a cache. A list is valid while the guild's ledger and all verifications stay the same: their counters are read for
 * each call, which costs a tenth of reading the list.
 */
export function createCachedLeaders({
  ledgerViews,
  entries,
  revision,
}: Pick<Store, 'ledgerViews' | 'entries' | 'revision'>): LedgerViewStore['largestBalances'] {
  const cache = createCache<{ revision: string; leaders: PlayerBalance[] }>(CACHED_GUILDS_MAX);
  return async (guild, limit) => {
    const [ledger, people] = await Promise.all([entries.revision(guild), revision('verifications')]);
    if (ledger === undefined || people === undefined) {
      return ledgerViews.largestBalances(guild, limit);
    }
    const key = `${guild.guildNo} ${limit}`;
    const current = `${ledger} ${people}`;
    const cached = cache.get(key);
    if (cached?.revision === current) {
      return cached.leaders;
    }
    const leaders = await ledgerViews.largestBalances(guild, limit);
    cache.set(key, { revision: current, leaders });
    return leaders;
  };
}
