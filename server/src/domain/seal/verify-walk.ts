import type { Store } from '../ports.ts';
import { HASH_BYTES } from './bytes.ts';
import type { SealLog, SealState } from './seal-store.ts';
import { hashAt, joinHashes, TILE_WIDTH } from './tree.ts';
import { compareRanges, growBoth, type RangeComparison, type SealedRange } from './witness.ts';

/** In the place of the hash of a transaction that is missing, and of those after it: no transaction has it. */
const NOTHING = new Uint8Array(HASH_BYTES);

export interface VerifyWalkParts {
  store: Pick<Store, 'seals'>;
  onProgress: (count: number) => void;
}

/** Goes over the transactions of a sealed log once, and compares their hashes with tiles and with signed ranges. */
export function createVerifyWalk(
  { store: { seals }, onProgress }: VerifyWalkParts,
  { guildNo, archivedNumber }: SealState,
  { firstNumber, size, tiled }: SealLog,
) {
  const levels: Uint8Array[][] = [];
  const whole = growBoth((level, hash) => {
    if (level > 0) {
      levels[level] ??= [];
      levels[level].push(hash);
    }
  });
  const comparisons: RangeComparison[] = [];

  /** Hashes of leaves: those of archived transactions from tiles, the others from rows. */
  async function readHashes(first: number, last: number, tile: Uint8Array): Promise<Uint8Array[]> {
    const archived = Math.max(Math.min(archivedNumber - firstNumber + 1, last), first);
    const fromTile = Array.from({ length: archived - first }, (_, index) =>
      hashAt(tile, (first + index) % TILE_WIDTH),
    );
    const range = { after: firstNumber + archived - 1, through: firstNumber + last - 1 };
    const fromRows = archived < last ? await seals.leafHashes(guildNo, range) : [];
    return [...fromTile, ...fromRows];
  }

  function pass(now: Uint8Array, tile: Uint8Array): void {
    const index = whole.tree.size;
    const hashes = { now, stored: index < tiled ? hashAt(tile, index % TILE_WIDTH) : now };
    whole.append(hashes);
    for (const comparison of comparisons) {
      comparison.pass(hashes);
    }
  }

  return {
    /** The first leaf whose tile has another hash. */
    firstOther: () => whole.firstOther,
    /** Call it before `run`. */
    compare(ranges: readonly SealedRange[]): RangeComparison {
      const comparison = compareRanges(ranges, whole);
      comparisons.push(comparison);
      return comparison;
    },
    /** Resolves to the first leaf whose transaction is missing. */
    async run(): Promise<number | undefined> {
      let missing: number | undefined;
      for (let first = 0; first < size; first += TILE_WIDTH) {
        const last = Math.min(first + TILE_WIDTH, size);
        const tile = await seals.storedTile(guildNo, { level: 0, tileNo: first / TILE_WIDTH });
        const hashes = missing === undefined ? await readHashes(first, last, tile) : [];
        for (let index = first; index < last; index += 1) {
          pass(hashes[index - first] ?? NOTHING, tile);
        }
        onProgress(hashes.length);
        missing ??= hashes.length < last - first ? first + hashes.length : undefined;
      }
      return missing;
    },
    /** The first tile above level 0 that is not that of the transactions. */
    async findWrongTile(): Promise<string | undefined> {
      for (const [level, hashes] of levels.entries()) {
        for (let first = 0; level > 0 && first < hashes.length; first += TILE_WIDTH) {
          const expected = joinHashes(hashes.slice(first, first + TILE_WIDTH));
          const stored = await seals.storedTile(guildNo, { level, tileNo: first / TILE_WIDTH });
          // A log that grew meanwhile has more.
          if (!expected.equals(stored.subarray(0, expected.length))) {
            return `${level}/${first / TILE_WIDTH}`;
          }
        }
      }
      return undefined;
    },
  };
}

export type VerifyWalk = ReturnType<typeof createVerifyWalk>;
