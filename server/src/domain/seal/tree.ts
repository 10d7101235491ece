import { hash } from 'node:crypto';
import { HASH_BYTES } from './bytes.ts';

/** RFC 6962 trees: hashes of leaves and nodes, and the frontier with which a tree grows. */

/** A tile has 256 hashes, which are the leaves of a subtree of this height. */
export const TILE_HEIGHT = 8;
export const TILE_WIDTH = 256;

const scratch = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/**
 * The hash, in a part of Node's pool of buffers: copy a hash that is kept or sent to another thread. As one-byte characters that are copied
 * it takes half the time of a hash in a buffer of its own.
 */
export function sha256(input: Uint8Array | string): Buffer {
  return Buffer.from(hash('sha256', input, 'latin1'), 'latin1');
}

/** The hash of a leaf. Its text is the one that `leafText` makes. */
export function hashLeaf(text: string): Buffer {
  return Buffer.from(leafHashText(text), 'latin1');
}

/** The same as one-byte characters. */
export function leafHashText(text: string): string {
  return hash('sha256', `\0${text}`, 'latin1');
}

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  scratch.set(left, 1);
  scratch.set(right, 1 + HASH_BYTES);
  return sha256(scratch);
}

/** The root of an empty tree. */
export const EMPTY_ROOT: Uint8Array = sha256(Buffer.alloc(0));

/** The hash of a range of leaves from the complete subtrees that it consists of, in order. */
export function combine(hashes: readonly Uint8Array[]): Uint8Array {
  return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => hashNode(left, right));
}

/** Called with the hash of each subtree that becomes complete and whose height is a multiple of the height of a tile. */
export type OnTileHash = (level: number, hash: Uint8Array) => void;

/**
 * A tree that only grows. It keeps the frontier: the hashes of the complete subtrees that the tree consists of, the largest
 * first. There is one for each bit of the size.
 */
export interface GrowingTree {
  readonly size: number;
  append(leafHash: Uint8Array): void;
  frontier(): readonly Uint8Array[];
  root(): Uint8Array;
}

export interface TreeState {
  size: number;
  frontier: readonly Uint8Array[];
}

export function growTree(
  { size: first, frontier }: TreeState,
  onTileHash: OnTileHash = () => {},
): GrowingTree {
  const kept = [...frontier];
  let size = first;
  return {
    get size() {
      return size;
    },
    append(leafHash) {
      let grown = leafHash;
      onTileHash(0, leafHash);
      let height = 0;
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
        const left = kept.pop();
        if (left === undefined) {
          throw new Error('the frontier has too few hashes for the size of its tree');
        }
        grown = hashNode(left, grown);
        height += 1;
        if (height % TILE_HEIGHT === 0) {
          onTileHash(height / TILE_HEIGHT, grown);
        }
      }
      kept.push(grown);
      size += 1;
    },
    frontier: () => kept,
    root: () => combine(kept),
  };
}

/** The number of hashes in the frontier of a tree: one for each bit of its size. */
export function frontierLength(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) {
    count += rest % 2;
  }
  return count;
}

export function joinHashes(hashes: readonly Uint8Array[]): Buffer {
  return Buffer.concat(hashes);
}

export function splitHashes(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, index) => hashAt(bytes, index));
}

/** One of the hashes that follow one another in bytes. */
export function hashAt(bytes: Uint8Array, index: number): Uint8Array {
  return bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
}
