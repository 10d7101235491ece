import { createCache } from '../../domain/cache.ts';
import type { LedgerEntry } from '../../domain/ledger/entries.ts';
import type { LedgerHistory } from '../../domain/ledger/history.ts';
import { continueWith, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { GuildRef } from '../../domain/model.ts';
import { type Answer, type Body, toBody } from '../answer.ts';

/** The memory of an entry without its text. */
const ENTRY_BYTES = 250;

/** A body as text, with the transactions that it contains. */
export interface LedgerText {
  text: string;
  entries?: readonly LedgerEntry[];
}

/** The revision of the data in a body; undefined when the body must not be cached. */
type Revision = MaybePromise<string | undefined>;

/** The bodies of one route, cached while the revision of their data stays the same. */
export interface LedgerBodies {
  /**
   * Answers with the cached body of that name, or reads it. Unless another revision is given, it is the revision of
   * the guild's ledger.
   */
  answer(
    guild: GuildRef,
    name: string,
    read: () => MaybePromise<LedgerText>,
    revision?: Revision,
  ): MaybePromise<Answer>;
}

/** The bodies of all routes that read a guild's ledger, in one cache. */
export interface LedgerBodyCache {
  ofRoute(name: string): LedgerBodies;
}

/** `ledgerCacheBytes` bounds the bodies of all routes together. */
export function createLedgerBodyCache({
  ledgerHistory,
  ledgerCacheBytes,
}: {
  ledgerHistory: Pick<LedgerHistory, 'revision'>;
  ledgerCacheBytes: number;
}): LedgerBodyCache {
  // The cache has two generations of the given size.
  const cache = createCache<{ body: Body; revision: string }>(ledgerCacheBytes / 2);

  // The revision is the one from before the read. If the ledger grew during the read, the entry is outdated at once.
  function readAt(revision: string | undefined, key: string, read: () => MaybePromise<LedgerText>) {
    const cached = revision === undefined ? undefined : cache.get(key);
    if (cached !== undefined && cached.revision === revision) {
      return { body: cached.body };
    }
    return continueWith(read(), ({ text, entries = [] }) => {
      const body = toBody(text);
      // A body with a person's name is not cached: names can change while the ledger does not.
      if (revision !== undefined && !entries.some(({ postedBy }) => postedBy.kind === 'user')) {
        cache.set(key, { body, revision }, body.length + ENTRY_BYTES);
      }
      return { body };
    });
  }

  return {
    ofRoute: (route) => ({
      answer(guild, name, read, revision = ledgerHistory.revision(guild)) {
        const key = `${route} ${guild.guildNo} ${name}`;
        return continueWith(revision, (known) => readAt(known, key, read));
      },
    }),
  };
}
