import type { Clock } from '../../domain/ports.ts';
import type { Part, PartRevision } from '../revision.ts';
import { prepare, type Runner } from './statement.ts';

/**
 * How long a counter that was read stays valid. Bounds how long a change by another instance can go unseen when its
 * notification is lost.
 */
const FRESH_MS = 500;

const FIND = prepare<{ value: number }>('SELECT value FROM revision WHERE part = $1');

/**
 * Reads the counter of a part, which validates what is cached of it. The embedded store reads it once per turn of the
 * event loop; here that would be a round trip for each request. Instead a value is valid for FRESH_MS, or until a
 * notification of a change. Concurrent requests share one read.
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
