import { HASH_BYTES } from './bytes.ts';
import { combine, hashAt, hashNode, TILE_HEIGHT, TILE_WIDTH, type TreeState } from './tree.ts';

/** Tiles as in c2sp.org/tlog-tiles, and proofs that are made from them. */

/** A tile: 256 hashes of a level, or fewer at the end of the log. */
export interface TileName {
  level: number;
  tileNo: number;
}

/** A complete subtree: `index` counts the subtrees of this height. */
export interface Subtree {
  height: number;
  index: number;
}

/** The leaves from `start` up to `end`, which is not included. */
type LeafRange = readonly [start: number, end: number];

const LEVEL_MAX = 6;
const TILE_PATH = /^([0-6])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The part of a tile's path below `tile/`. Without a width it is the path of a full tile. */
export function formatTilePath({ level, tileNo }: TileName, width = TILE_WIDTH): string {
  const digits = String(tileNo);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const parts = padded.match(/\d{3}/g) ?? [];
  const path = parts.map((part, place) => (place < parts.length - 1 ? `x${part}` : part)).join('/');
  return `${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Undefined when it is not the path of a tile. */
export function parseTilePath(path: string): (TileName & { width: number }) | undefined {
  const [, level = '', number = '', width] = TILE_PATH.exec(path) ?? [];
  const name = { level: Number(level), tileNo: Number(number.replaceAll(/[x/]/g, '')) };
  const wanted = width === undefined ? TILE_WIDTH : Number(width);
  // A number has one path, so that the same tile is not cached under several.
  const isOne = level !== '' && formatTilePath(name, wanted) === path;
  return isOne && name.level <= LEVEL_MAX && Number.isSafeInteger(name.tileNo)
    ? { ...name, width: wanted }
    : undefined;
}

/** The number of hashes that a tile of a log has. */
export function tileWidth({ level, tileNo }: TileName, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return Math.min(Math.max(hashes - tileNo * TILE_WIDTH, 0), TILE_WIDTH);
}

/** The largest power of two below a number. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) {
    split *= 2;
  }
  return split;
}

/** The ranges whose hashes prove that a tree has a leaf, from its sibling up to the root's child (RFC 6962, 2.1.1). */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      ranges.push([middle, end]);
      end = middle;
    } else {
      ranges.push([start, middle]);
      start = middle;
    }
  }
  return ranges.reverse();
}

/** The ranges whose hashes prove that a tree begins with a smaller one (RFC 6962, 2.1.2). */
export function consistencyRanges(from: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end !== from) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      ranges.push([middle, end]);
      end = middle;
    } else {
      ranges.push([start, middle]);
      start = middle;
    }
  }
  // An older tree that is complete is known to the verifier.
  return (start === 0 ? ranges : [...ranges, [start, end] as const]).reverse();
}

/** The complete subtrees that a range consists of, the largest first. */
export function subtreesOf([start, end]: LeafRange): Subtree[] {
  const subtrees: Subtree[] = [];
  let first = start;
  while (first < end) {
    let [width, height] = [1, 0];
    while (first + width * 2 <= end && first % (width * 2) === 0) {
      width *= 2;
      height += 1;
    }
    subtrees.push({ height, index: first / width });
    first += width;
  }
  return subtrees;
}

/** The hash of a subtree, if the frontier of the tree has it. */
function inFrontier({ size, frontier }: TreeState, { height, index }: Subtree): Uint8Array | undefined {
  const count = Math.floor(size / 2 ** height);
  if (count % 2 === 0 || index !== count - 1) {
    return undefined;
  }
  let larger = 0;
  for (let rest = (count - 1) / 2; rest > 0; rest = Math.floor(rest / 2)) {
    larger += rest % 2;
  }
  return frontier[larger];
}

/** The tile from which the hash of a subtree is computed, and the place of its first hash there. */
function tileOf({ height, index }: Subtree): TileName & { first: number; width: number } {
  const level = Math.floor(height / TILE_HEIGHT);
  const width = 2 ** (height - level * TILE_HEIGHT);
  const tileNo = Math.floor((index * width) / TILE_WIDTH);
  return { level, tileNo, first: index * width - tileNo * TILE_WIDTH, width };
}

/** Reads a tile, with as many hashes as the log has of it. */
export type ReadTile = (name: TileName) => Promise<Uint8Array>;

/** Hashes of large subtrees that were computed before. They never change. */
export interface NodeCache {
  get(subtree: Subtree): Uint8Array | undefined;
  set(subtree: Subtree, hash: Uint8Array): void;
}

/** Smaller subtrees take a few hashes, and there are many more of them. */
const CACHED_HEIGHT_MIN = TILE_HEIGHT + 4;

const NO_CACHE: NodeCache = { get: () => undefined, set() {} };

/**
 * The hashes of ranges of leaves, from the frontier where it has them, and from tiles otherwise. Reads each tile once. The cache
 * gets large subtrees: there are few of them, and each takes up to 127 hashes.
 */
export async function hashRanges(
  tree: TreeState,
  ranges: readonly LeafRange[],
  readTile: ReadTile,
  cache = NO_CACHE,
): Promise<Uint8Array[]> {
  const tiles = new Map<string, Uint8Array>();
  async function hashOf(subtree: Subtree): Promise<Uint8Array> {
    const isLarge = subtree.height >= CACHED_HEIGHT_MIN;
    const known = inFrontier(tree, subtree) ?? (isLarge ? cache.get(subtree) : undefined);
    if (known !== undefined) {
      return known;
    }
    const { first, width, ...name } = tileOf(subtree);
    const key = formatTilePath(name);
    const tile = tiles.get(key) ?? (await readTile(name));
    tiles.set(key, tile);
    if (tile.length < (first + width) * HASH_BYTES) {
      throw new Error(`tile ${key} of the sealed log has too few hashes`);
    }
    const hash = hashOfRow(tile, first, width);
    if (isLarge) {
      cache.set(subtree, Uint8Array.from(hash));
    }
    return hash;
  }
  const hashes: Uint8Array[] = [];
  for (const range of ranges) {
    const parts: Uint8Array[] = [];
    for (const subtree of subtreesOf(range)) {
      parts.push(await hashOf(subtree));
    }
    hashes.push(combine(parts));
  }
  return hashes;
}

/** The hash of the complete subtree above hashes of a tile; their number is a power of two. */
export function hashOfRow(tile: Uint8Array, first: number, width: number): Uint8Array {
  return width === 1
    ? hashAt(tile, first)
    : hashNode(hashOfRow(tile, first, width / 2), hashOfRow(tile, first + width / 2, width / 2));
}
