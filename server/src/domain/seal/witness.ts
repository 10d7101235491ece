import { areEqual } from './bytes.ts';
import { inclusionRanges } from './tiles.ts';
import { growTree, type OnTileHash } from './tree.ts';

/** The signed hash of the leaves up to `end`. They begin at the end of the range before. */
export interface SealedRange {
  end: number;
  hash: Uint8Array;
}

/** The leaves from `start` up to `end`, which is not included. One of them is the first that is not as it was sealed. */
export interface Difference {
  start: number;
  end: number;
}

/** The ranges of an inclusion proof that leads to a signed root, the leaf among them. */
export function rangesOfProof(
  { index, size }: { index: number; size: number },
  given: { leafHash: Uint8Array; hashes: readonly Uint8Array[] },
): SealedRange[] {
  const leaf = { start: index, end: index + 1, hash: given.leafHash };
  const others = inclusionRanges(index, size).map(([start, end], place) => ({
    start,
    end,
    hash: given.hashes[place] ?? new Uint8Array(),
  }));
  return [leaf, ...others].sort((one, other) => one.start - other.start);
}

/** The ranges of a frontier: one complete subtree for each bit of the size. */
export function rangesOfFrontier(size: number, frontier: readonly Uint8Array[]): SealedRange[] {
  let end = 0;
  return frontier.map((hash) => {
    let width = 1;
    while (width * 2 <= size - end) {
      width *= 2;
    }
    end += width;
    return { end, hash };
  });
}

/** The hashes of a leaf: as its transaction gives it now, and as its tile has it. */
export interface LeafHashes {
  now: Uint8Array;
  stored: Uint8Array;
}

/** Grows the tree of the transactions, and that of the stored hashes from the first that differs. */
export function growBoth(onTileHash?: OnTileHash) {
  const tree = growTree({ size: 0, frontier: [] }, onTileHash);
  let other: { tree: ReturnType<typeof growTree>; first: number } | undefined;
  return {
    tree,
    append({ now, stored }: LeafHashes): void {
      if (other === undefined && !areEqual(now, stored)) {
        other = { tree: growTree({ size: tree.size, frontier: tree.frontier() }), first: tree.size };
      }
      tree.append(now);
      other?.tree.append(stored);
    },
    /** The first leaf whose stored hash is another one. */
    get firstOther(): number | undefined {
      return other?.first;
    },
    /** The first leaf that differs, if the stored hashes are those of the signed hash: then they show which one it is. */
    firstBy(signed: Uint8Array): number | undefined {
      return other !== undefined && areEqual(other.tree.root(), signed) ? other.first : undefined;
    },
  };
}

type BothTrees = ReturnType<typeof growBoth>;

export interface RangeComparison {
  /** Takes the next leaf, after `whole` has it. */
  pass(hashes: LeafHashes): void;
  /** The first leaves up to here are as they were signed. */
  readonly agreed: number;
  readonly difference: Difference | undefined;
}

/** Compares leaves with signed ranges up to the first that differs. `whole` has all leaves, for the range that begins with the first. */
export function compareRanges(ranges: readonly SealedRange[], whole: BothTrees): RangeComparison {
  let difference: Difference | undefined;
  let [place, start] = [0, 0];
  let both = whole;
  return {
    pass(hashes) {
      const range = ranges[place];
      if (range === undefined || difference !== undefined) {
        return;
      }
      if (both !== whole) {
        both.append(hashes);
      }
      if (start + both.tree.size < range.end) {
        return;
      }
      if (areEqual(both.tree.root(), range.hash)) {
        [place, start, both] = [place + 1, range.end, growBoth()];
        return;
      }
      const first = both.firstBy(range.hash);
      difference =
        first === undefined ? { start, end: range.end } : { start: start + first, end: start + first + 1 };
    },
    get agreed() {
      return start;
    },
    get difference() {
      return difference;
    },
  };
}

/**
 * Combines several comparisons with the same history: returns the range that has the first leaf that differs, or undefined when the
 * comparisons contradict each other.
 */
export function narrowDown(comparisons: readonly RangeComparison[]): Difference | undefined {
  const differences = comparisons.flatMap(({ difference }) => difference ?? []);
  const start = Math.max(...comparisons.map(({ agreed }) => agreed), ...differences.map((one) => one.start));
  const end = Math.min(...differences.map((one) => one.end));
  return start < end ? { start, end } : undefined;
}
