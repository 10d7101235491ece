import type { Clock } from '../../domain/ports.ts';
import { prepare, type Runner } from './statement.ts';

export type Part = 'keys' | 'commands';

/** How long a look at a counter counts. It bounds how long a change made elsewhere can go unseen when nobody tells. */
const FRESH_MS = 500;
/** Where changes are told to whoever listens; the message is the part that changed. */
export const CHANNEL = 'guildbook_revision';

const FIND = prepare<{ value: number }>('SELECT value FROM revision WHERE part = $1');
const BUMP = prepare('UPDATE revision SET value = value + 1 WHERE part = $1');
const TELL = prepare(`SELECT pg_notify('${CHANNEL}', $1)`);

export interface RevisionReader {
  /** The counter, at once when it was looked at a moment ago. */
  read(): number | Promise<number>;
  /** Somebody changed the part: what was seen so far counts no longer, nor does a look that is under way. */
  lookAgain(): void;
}

/**
 * Tells whether a part of the store has changed since it was last read into memory. The embedded store looks once per
 * turn of the event loop, which would be a round trip for each request here: instead a look counts for half a second,
 * and a notification of a change ends it early. Requests that come together share one look.
 */
export function createRevisionReader(
  read: Runner,
  part: Part,
  clock: Pick<Clock, 'monotonicMs'>,
): RevisionReader {
  let known: { value: number; lookedAtMs: number } | undefined;
  let looking: Promise<number> | undefined;

  function look(): Promise<number> {
    const lookedAtMs = clock.monotonicMs();
    const mine = read.first(FIND, [part]).then((row) => {
      const value = row?.value ?? 0;
      if (looking === mine) {
        known = { value, lookedAtMs };
      }
      return value;
    });
    const forget = () => {
      if (looking === mine) {
        looking = undefined;
      }
    };
    mine.then(forget, forget);
    looking = mine;
    return mine;
  }

  return {
    read() {
      const isFresh = known !== undefined && clock.monotonicMs() - known.lookedAtMs < FRESH_MS;
      return known !== undefined && isFresh ? known.value : (looking ?? look());
    },
    lookAgain() {
      known = undefined;
      looking = undefined;
    },
  };
}

/** Moves a part's counter and tells the others once it is committed; belongs into the commit that changes the part. */
export async function bumpRevision(transaction: Runner, part: Part): Promise<void> {
  await transaction.run(BUMP, [part]);
  await transaction.all(TELL, [part]);
}
