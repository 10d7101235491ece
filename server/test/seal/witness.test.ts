import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashLeaf } from '../../src/domain/seal/tree.ts';
import {
  compareRanges,
  growBoth,
  narrowDown,
  rangesOfFrontier,
  rangesOfProof,
  type SealedRange,
} from '../../src/domain/seal/witness.ts';
import { createReference } from './reference-tree.ts';
import { growInMemory, numberedLeaves } from './tile-memory.ts';

const leaves = numberedLeaves(300, hashLeaf);
const reference = createReference(leaves);
const other = hashLeaf('another transaction');

/** Leaves as they are now: altered from some index on, or only there. */
function alter(size: number, changed: ReadonlySet<number>): Uint8Array[] {
  return leaves.slice(0, size).map((leaf, index) => (changed.has(index) ? other : leaf));
}

/** What signed ranges show of leaves as they are now, and of hashes in tiles. */
function compare(witnesses: readonly SealedRange[][], now: readonly Uint8Array[], stored = now) {
  const whole = growBoth();
  const comparisons = witnesses.map((ranges) => compareRanges(ranges, whole));
  for (const [index, leaf] of now.entries()) {
    const hashes = { now: leaf, stored: stored[index] ?? leaf };
    whole.append(hashes);
    for (const comparison of comparisons) {
      comparison.pass(hashes);
    }
  }
  return { comparisons, found: narrowDown(comparisons) };
}

const receipt = (index: number, size: number) =>
  rangesOfProof(
    { index, size },
    {
      leafHash: leaves[index] ?? other,
      hashes: reference.inclusion(index, size),
    },
  );
const checkpoint = (size: number) => [{ end: size, hash: reference.root(size) }];
const frontierOf = (size: number) =>
  rangesOfFrontier(size, growInMemory(leaves.slice(0, size)).tree.frontier());

const size = fc.integer({ min: 1, max: leaves.length });
/** Each run computes many trees. */
const RUNS = { numRuns: 40 };
const places = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });

describe('signed hashes', () => {
  it('agree with a past that was not changed', () => {
    fc.assert(
      fc.property(size, places, (end, indexes) => {
        const witnesses = [
          ...indexes.map((index) => receipt(index % end, end)),
          frontierOf(end),
          checkpoint(end),
        ];
        const { comparisons } = compare(witnesses, leaves.slice(0, end));
        expect(comparisons.map(({ difference, agreed }) => [difference, agreed])).toEqual(
          witnesses.map(() => [undefined, end]),
        );
      }),
      RUNS,
    );
  });

  it('show the first transaction that differs with tiles, and where it is without them', () => {
    fc.assert(
      fc.property(size, places, places, (end, changes, indexes) => {
        const changed = new Set(changes.map((index) => index % end));
        const first = Math.min(...changed);
        const now = alter(end, changed);
        const witnesses = [...indexes.map((index) => receipt(index % end, end)), frontierOf(end)];
        for (const witness of [...witnesses, checkpoint(end)]) {
          const shown = compare([witness], now, leaves).found;
          expect(shown).toEqual({ start: first, end: first + 1 });
        }
        const { start = -1, end: behind = -1 } = compare(witnesses, now).found ?? {};
        expect(start <= first && first < behind).toBe(true);
        expect(compare([...witnesses, receipt(first, end)], now).found).toEqual({
          start: first,
          end: first + 1,
        });
      }),
      RUNS,
    );
  });

  it('narrow the place down together, unless they contradict each other', () => {
    const now = alter(260, new Set([190]));
    expect(compare([checkpoint(260)], now).found).toEqual({ start: 0, end: 260 });
    expect(compare([checkpoint(260), checkpoint(150), checkpoint(200)], now).found).toEqual({
      start: 150,
      end: 200,
    });
    const rebuilt = [{ end: 260, hash: createReference(now).root(260) }];
    expect(compare([checkpoint(200), rebuilt], now).found).toBeUndefined();
  });

  it('name no transaction by tiles that were replaced as well', () => {
    const tiles = alter(260, new Set([3]));
    expect(compare([checkpoint(260)], alter(260, new Set([190])), tiles).found).toEqual({
      start: 0,
      end: 260,
    });
  });
});
