import { HASH_BYTES } from '../../domain/seal/bytes.ts';
import type { NumberRange } from './leaf-rows.ts';
import type { PostedLeaves } from './posted-leaves.ts';

/** Hashes that are kept, about four megabytes: several seconds of posts. */
const LEAVES_MAX = 100_000;
/** A run takes as much memory as this many hashes, beside its own. */
const RUN_LEAVES = 8;

/** The hashes of the leaves of posts of one commit with consecutive numbers, and the id of the last one. */
export interface LeafRun {
  first: number;
  lastId: string;
  hashes: Uint8Array;
}

/** Leaf hashes of posts of this process that are not sealed yet. The sealer reads the rows of all other transactions. */
export interface RecentLeaves {
  add(leaves: PostedLeaves): void;
  /** Removes and returns the guild's runs whose last number is in the range, sorted. Deletes earlier runs, and keeps later ones. */
  take(range: NumberRange): LeafRun[];
}

export function createRecentLeaves(): RecentLeaves {
  // The guild that has waited longest comes first.
  const runs = new Map<number, LeafRun[]>();
  let size = 0;

  function append(guildNo: number, run: LeafRun): void {
    const known = runs.get(guildNo);
    if (known === undefined) {
      runs.set(guildNo, [run]);
    } else {
      known.push(run);
    }
    size += sizeOf(run);
  }

  function remove(guildNo: number): LeafRun[] {
    const known = runs.get(guildNo) ?? [];
    runs.delete(guildNo);
    size -= known.reduce((sum, run) => sum + sizeOf(run), 0);
    return known;
  }

  return {
    add({ runs: added, hashes }) {
      let begin = 0;
      for (const [guildNo, first, length, lastId] of added) {
        const end = begin + length * HASH_BYTES;
        // A copy: a view would keep the hashes of all guilds of the commit in memory.
        const own = added.length === 1 ? hashes : hashes.slice(begin, end);
        append(guildNo, { first, lastId, hashes: own });
        begin = end;
      }
      for (const [oldest] of runs) {
        if (size <= LEAVES_MAX) {
          return;
        }
        // Nobody takes them, or the sealer is far behind. It reads their rows instead.
        remove(oldest);
      }
    },
    take({ guildNo, after, through }) {
      const taken: LeafRun[] = [];
      for (const run of remove(guildNo)) {
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

function sizeOf(run: LeafRun): number {
  return lengthOf(run) + RUN_LEAVES;
}

export function lastOf(run: LeafRun): number {
  return run.first + lengthOf(run) - 1;
}

/** Without the numbers up to one. A copy, because a view would cross threads with the whole buffer behind it. */
function withoutUntil({ first, lastId, hashes }: LeafRun, after: number): LeafRun {
  const skipped = Math.max(after + 1 - first, 0);
  return { first: first + skipped, lastId, hashes: hashes.slice(skipped * HASH_BYTES) };
}
