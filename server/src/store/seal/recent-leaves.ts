import { HASH_BYTES } from '../../domain/seal/bytes.ts';
import type { NumberRange } from './leaf-rows.ts';
import type { PostedLeaves } from './posted-leaves.ts';

/** Hashes that are kept, about four megabytes: several seconds of posts. */
const LEAVES_MAX = 100_000;

/** The hashes of the leaves of transactions with consecutive numbers. */
export interface LeafRun {
  first: number;
  hashes: Uint8Array;
}

/**
 * Leaf hashes of transactions that this process has posted and not sealed yet. The sealer reads the rows of all others, so a hash may be
 * missing, but never wrong.
 */
export interface RecentLeaves {
  add(leaves: PostedLeaves): void;
  /** Removes and returns the runs of a guild in a range, in order, and drops those before it. */
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
    add({ places, hashes }) {
      if (count > LEAVES_MAX) {
        // Nobody takes them, or the sealer is far behind. It reads rows until it has caught up.
        runs.clear();
        count = 0;
      }
      for (let begin = 0; begin < places.length; ) {
        const [guildNo = 0, first = 0] = [places[begin], places[begin + 1]];
        let end = begin + 2;
        while (places[end] === guildNo && places[end + 1] === first + (end - begin) / 2) {
          end += 2;
        }
        append(guildNo, {
          first,
          hashes: hashes.subarray((begin / 2) * HASH_BYTES, (end / 2) * HASH_BYTES),
        });
        begin = end;
      }
    },
    take({ guildNo, after, through }) {
      const known = runs.get(guildNo) ?? [];
      runs.delete(guildNo);
      count -= known.reduce((sum, run) => sum + lengthOf(run), 0);
      for (const run of known) {
        const later = cut(run, { from: through + 1, to: Number.POSITIVE_INFINITY });
        if (later !== undefined) {
          append(guildNo, later);
        }
      }
      return join(
        known
          .map((run) => cut(run, { from: after + 1, to: through + 1 }))
          .filter((run): run is LeafRun => run !== undefined),
      );
    },
  };
}

function lengthOf({ hashes }: LeafRun): number {
  return hashes.length / HASH_BYTES;
}

/** The part of a run with the numbers from `from` to before `to`; undefined when it has none of them. */
function cut(run: LeafRun, { from, to }: { from: number; to: number }): LeafRun | undefined {
  const [begin, end] = [Math.max(from - run.first, 0), Math.min(to - run.first, lengthOf(run))];
  return begin < end
    ? { first: run.first + begin, hashes: run.hashes.subarray(begin * HASH_BYTES, end * HASH_BYTES) }
    : undefined;
}

/** Joins runs that follow one another, with a buffer of its own for each result: views cross threads with the whole buffer behind them. */
function join(sorted: readonly LeafRun[]): LeafRun[] {
  const groups: LeafRun[][] = [];
  let next = Number.NaN;
  for (const run of sorted) {
    if (run.first === next) {
      groups.at(-1)?.push(run);
    } else {
      groups.push([run]);
    }
    next = run.first + lengthOf(run);
  }
  return groups.map((group) => ({
    first: group[0]?.first ?? 0,
    hashes: Uint8Array.from(Buffer.concat(group.map(({ hashes }) => hashes))),
  }));
}
