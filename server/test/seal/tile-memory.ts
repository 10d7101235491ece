import type { ReadTile, TileName } from '../../src/domain/seal/tiles.ts';
import { type GrowingTree, growTree, joinHashes, TILE_WIDTH } from '../../src/domain/seal/tree.ts';

/** A tree whose tiles are kept in memory, with all hashes. */
export interface TreeInMemory {
  tree: GrowingTree;
  readTile: ReadTile;
}

export function growInMemory(leaves: readonly Uint8Array[]): TreeInMemory {
  const levels: Uint8Array[][] = [];
  const tree = growTree({ size: 0, frontier: [] }, (level, hash) => {
    levels[level] ??= [];
    levels[level].push(hash);
  });
  for (const leaf of leaves) {
    tree.append(leaf);
  }
  const readTile = async ({ level, tileNo }: TileName) =>
    joinHashes((levels[level] ?? []).slice(tileNo * TILE_WIDTH, (tileNo + 1) * TILE_WIDTH));
  return { tree, readTile };
}

/** Leaves that differ: the hash of their number. */
export function numberedLeaves(count: number, hashLeaf: (text: string) => Uint8Array): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => hashLeaf(String(index)));
}
