import { createCache } from '../../domain/cache.ts';
import type { LedgerEntry } from '../../domain/ledger/entries.ts';
import type { LedgerHistory } from '../../domain/ledger/history.ts';
import { continueWith, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { GuildRef } from '../../domain/model.ts';
import { type Answer, type Body, toBody } from '../answer.ts';

/** The size of the cache of one endpoint; it keeps two generations of this size at most. */
const BYTES_MAX = 4_000_000;
/** The memory of an entry without its text. */
const ENTRY_BYTES = 250;

/** A body as text, with the transactions that it contains. */
export interface LedgerText {
  text: string;
  entries?: readonly LedgerEntry[];
}

/** The bodies of an endpoint that reads a guild's ledger, cached until the ledger grows. */
export interface LedgerBodies {
  /** Answers with the cached body of that name, or reads it. */
  answer(guild: GuildRef, name: string, read: () => MaybePromise<LedgerText>): MaybePromise<Answer>;
}

export function createLedgerBodies({
  ledgerHistory,
}: {
  ledgerHistory: Pick<LedgerHistory, 'revision'>;
}): LedgerBodies {
  const cache = createCache<{ body: Body; revision: string }>(BYTES_MAX);
  return {
    answer(guild, name, read) {
      const key = `${guild.guildNo} ${name}`;
      const revision = ledgerHistory.revision(guild);
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
    },
  };
}
