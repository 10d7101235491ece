import type { Clock } from '../../domain/ports.ts';
import type { Part, PartRevision } from '../revision.ts';
import { prepare, type Runner } from './statement.ts';

/** How long a look at a counter counts. It bounds how long a change made elsewhere can go unseen when nobody tells. */
const FRESH_MS = 500;

const FIND = prepare<{ value: number }>('SELECT value FROM revision WHERE part = $1');

/**
 * Tells whether a part of the store has changed since it was last read into memory. The embedded store looks once per
 * turn of the event loop, which would be a round trip for each request here: instead a look counts for half a second,
 * and a notification of a change ends it early. Requests that come together share one look.
 */
export function createRevisionReader(
  read: Runner,
  part: Part,
  clock: Pick<Clock, 'monotonicMs'>,
): PartRevision {
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
