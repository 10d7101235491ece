import { HASH_BYTES } from '../../domain/seal/bytes.ts';
import type { NumberRange } from './leaf-rows.ts';
import type { PostedLeaves } from './posted-leaves.ts';

/** Hashes that are kept, about four megabytes: several seconds of posts. */
const LEAVES_MAX = 100_000;

/** The hashes of the leaves of posts with consecutive numbers, and the id of the last one. */
export interface LeafRun {
  first: number;
  lastId: string;
  hashes: Uint8Array;
}

/** Leaf hashes of posts of this process that are not sealed yet. The sealer reads the rows of all other transactions. */
export interface RecentLeaves {
  add(leaves: PostedLeaves): void;
  /** Removes and returns the runs of a guild that end in a range, in order, and drops those before it. */
  take(range: NumberRange): LeafRun[];
}

export function createRecentLeaves(): RecentLeaves {
  const runs = new Map<number, LeafRun[]>();
  let count = 0;

  function append(guildNo: number, run: LeafRun): void {
    const known = runs.get(guildNo);
    if (known === undefined) {
      runs.set(guildNo, [run]);
    } else {
      known.push(run);
    }
    count += lengthOf(run);
  }

  return {
    add({ runs: added, hashes }) {
      if (count > LEAVES_MAX) {
        // Nobody takes them, or the sealer is far behind. It reads rows until it has caught up.
        runs.clear();
        count = 0;
      }
      let begin = 0;
      for (const [guildNo, first, length, lastId] of added) {
        const end = begin + length * HASH_BYTES;
        append(guildNo, { first, lastId, hashes: hashes.subarray(begin, end) });
        begin = end;
      }
    },
    take({ guildNo, after, through }) {
      const known = runs.get(guildNo) ?? [];
      runs.delete(guildNo);
      const taken: LeafRun[] = [];
      for (const run of known) {
        count -= lengthOf(run);
        if (lastOf(run) > through) {
          append(guildNo, run);
        } else if (lastOf(run) > after) {
          taken.push(withoutUntil(run, after));
        }
      }
      // Statements of PostgreSQL may be answered in another order.
      return taken.sort((one, other) => one.first - other.first);
    },
  };
}

function lengthOf({ hashes }: LeafRun): number {
  return hashes.length / HASH_BYTES;
}

export function lastOf(run: LeafRun): number {
  return run.first + lengthOf(run) - 1;
}

/** Without the numbers up to one. A copy, because a view would cross threads with the whole buffer behind it. */
function withoutUntil({ first, lastId, hashes }: LeafRun, after: number): LeafRun {
  const skipped = Math.max(after + 1 - first, 0);
  return { first: first + skipped, lastId, hashes: hashes.slice(skipped * HASH_BYTES) };
}
