import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkConsistency, checkInclusion, leafInput } from '../../src/domain/seal/check-proofs.ts';
import { SealError } from '../../src/domain/seal/seal-error.ts';
import { consistencyRanges, hashRanges, inclusionRanges } from '../../src/domain/seal/tiles.ts';
import { EMPTY_ROOT, frontierLength, growTree, hashLeaf, sha256 } from '../../src/domain/seal/tree.ts';
import { createReference } from './reference-tree.ts';
import { growInMemory, numberedLeaves, type TreeInMemory } from './tile-memory.ts';

/** The leaves of the Certificate Transparency project's own tests, and the roots of their trees. */
const PUBLISHED_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const PUBLISHED_ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const EDGES = [1, 2, 3, 255, 256, 257, 65_535, 65_536, 65_537];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const inclusionOf = ({ tree, readTile }: TreeInMemory, index: number) =>
  hashRanges({ size: tree.size, frontier: tree.frontier() }, inclusionRanges(index, tree.size), readTile);
const consistencyOf = ({ tree, readTile }: TreeInMemory, from: number) =>
  hashRanges({ size: tree.size, frontier: tree.frontier() }, consistencyRanges(from, tree.size), readTile);

const leaves = numberedLeaves(65_537, hashLeaf);
const reference = createReference(leaves);

describe('a tree', () => {
  it('has the published roots', () => {
    const tree = growTree({ size: 0, frontier: [] });
    const roots = PUBLISHED_LEAVES.map((leaf) => {
      tree.append(sha256(leafInput(Buffer.from(leaf, 'hex'))));
      return hex(tree.root());
    });
    expect(roots).toEqual(PUBLISHED_ROOTS);
    expect(hex(EMPTY_ROOT)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it.each(EDGES)('of %i leaves has the root of RFC 6962, and a frontier of a hash for each bit', (size) => {
    const { tree } = growInMemory(leaves.slice(0, size));
    expect(hex(tree.root())).toBe(hex(reference.root(size)));
    expect(tree.frontier()).toHaveLength(frontierLength(size));
  });

  it('grows from any frontier as it grows from nothing', () => {
    fc.assert(
      fc.property(fc.nat(600), fc.nat(600), (first, more) => {
        const whole = growInMemory(leaves.slice(0, first + more)).tree;
        const begun = growInMemory(leaves.slice(0, first)).tree;
        const grown = growTree({ size: begun.size, frontier: begun.frontier() });
        for (const leaf of leaves.slice(first, first + more)) {
          grown.append(leaf);
        }
        expect(grown.frontier().map(hex)).toEqual(whole.frontier().map(hex));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a proof of inclusion from tiles', () => {
  it.each(EDGES)('in a tree of %i leaves is that of RFC 6962, and leads to the root', async (size) => {
    const memory = growInMemory(leaves.slice(0, size));
    const indexes = new Set([0, 1, 2, 254, 255, 256, 257, Math.floor(size / 2), size - 2, size - 1]);
    for (const index of [...indexes].filter((one) => one >= 0 && one < size)) {
      const hashes = await inclusionOf(memory, index);
      expect(hashes.map(hex)).toEqual(reference.inclusion(index, size).map(hex));
      const inclusion = { index, size, leafHash: leaves[index] ?? EMPTY_ROOT, hashes };
      await checkInclusion(inclusion, memory.tree.root(), sha256);
    }
  });

  it('holds for no other leaf, index, size or hash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 700 }), fc.nat(), fc.nat(), async (size, place, seed) => {
        const memory = growInMemory(leaves.slice(0, size));
        const index = place % size;
        const other = (index + 1 + (seed % (size - 1))) % size;
        const hashes = await inclusionOf(memory, index);
        const root = memory.tree.root();
        const right = { index, size, leafHash: leaves[index] ?? EMPTY_ROOT, hashes };
        await checkInclusion(right, root, sha256);
        const changed = hashes.map((one, at) => (at === seed % hashes.length ? sha256(one) : one));
        const wrong = [
          { ...right, leafHash: leaves[other] ?? EMPTY_ROOT },
          { ...right, index: other },
          { ...right, index: size },
          { ...right, hashes: changed },
          { ...right, hashes: hashes.slice(1) },
          { ...right, hashes: [...hashes, root] },
        ];
        for (const one of wrong) {
          await expect(checkInclusion(one, root, sha256)).rejects.toBeInstanceOf(SealError);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('a proof of consistency from tiles', () => {
  it.each(EDGES)('to a tree of %i leaves is that of RFC 6962, and holds', async (size) => {
    const memory = growInMemory(leaves.slice(0, size));
    const to = { size, root: memory.tree.root() };
    const sizes = new Set([1, 2, 3, 127, 128, 255, 256, 257, 40_000, size - 1, size]);
    for (const from of [...sizes].filter((one) => one >= 1 && one <= size)) {
      const hashes = await consistencyOf(memory, from);
      expect(hashes.map(hex)).toEqual(reference.consistency(from, size).map(hex));
      const root = reference.root(from);
      await checkConsistency({ from: { size: from, root }, to, hashes }, sha256);
    }
  });

  it('holds for no tree with another past', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 700 }), fc.nat(), fc.nat(), async (size, cut, place) => {
        const from = 1 + (cut % size);
        const altered = leaves.slice(0, size);
        altered[place % from] = hashLeaf('altered');
        const memory = growInMemory(altered);
        const hashes = await consistencyOf(memory, from);
        const older = { size: from, root: reference.root(from) };
        const to = { size, root: memory.tree.root() };
        await expect(checkConsistency({ from: older, to, hashes }, sha256)).rejects.toBeInstanceOf(SealError);
        const honest = { size: from, root: growInMemory(altered.slice(0, from)).tree.root() };
        await checkConsistency({ from: honest, to, hashes }, sha256);
      }),
      { numRuns: 60 },
    );
  });
});
