// Copied from server/src/domain/seal by `npm run generate`; do not edit by hand.

import { areEqual, type Bytes, concatenate } from './bytes.ts';
import { SealError } from './seal-error.ts';

/** Checks proofs of RFC 6962 trees, by the algorithms of RFC 9162, sections 2.1.3.2 and 2.1.4.2. */

/** SHA-256: synchronous in Node.js, a promise in browsers. */
export type Sha256 = (bytes: Bytes) => Uint8Array | Promise<Uint8Array>;

export function leafInput(leaf: Uint8Array): Bytes {
  return concatenate(Uint8Array.of(0), leaf);
}

export function nodeInput(left: Uint8Array, right: Uint8Array): Bytes {
  return concatenate(Uint8Array.of(1), left, right);
}

/** One step from a leaf to the root: the hash on the other side, and the hash of both. */
export interface ProofStep {
  sibling: Uint8Array;
  side: 'left' | 'right';
  hash: Uint8Array;
}

export interface Inclusion {
  index: number;
  size: number;
  leafHash: Uint8Array;
  hashes: readonly Uint8Array[];
}

const half = (count: number) => Math.floor(count / 2);
const isOdd = (count: number) => count % 2 === 1;

/** The steps from a leaf to the root that a proof claims. The last hash is the root; a tree of one leaf has no steps. */
export async function followInclusion(
  { index, size, leafHash, hashes }: Inclusion,
  sha256: Sha256,
): Promise<ProofStep[]> {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
    throw new SealError('proof', 'The proof is about a leaf that the checkpoint does not have');
  }
  const steps: ProofStep[] = [];
  let hash = leafHash;
  let [position, last] = [index, size - 1];
  for (const sibling of hashes) {
    if (last === 0) {
      throw new SealError('proof', 'The proof has too many hashes');
    }
    const isRight = isOdd(position) || position === last;
    hash = await sha256(isRight ? nodeInput(sibling, hash) : nodeInput(hash, sibling));
    steps.push({ sibling, side: isRight ? 'left' : 'right', hash });
    // The last node of a level without a sibling there moves up until it has one.
    while (isRight && !isOdd(position) && position !== 0) {
      [position, last] = [half(position), half(last)];
    }
    [position, last] = [half(position), half(last)];
  }
  if (last !== 0) {
    throw new SealError('proof', 'The proof has too few hashes');
  }
  return steps;
}

/** Throws unless the proof leads from the leaf to the root. Resolves to its steps. */
export async function checkInclusion(
  inclusion: Inclusion,
  root: Uint8Array,
  sha256: Sha256,
): Promise<ProofStep[]> {
  const steps = await followInclusion(inclusion, sha256);
  if (!areEqual(steps.at(-1)?.hash ?? inclusion.leafHash, root)) {
    throw new SealError('proof', 'The proof does not lead to the signed root');
  }
  return steps;
}

export interface Consistency {
  from: { size: number; root: Uint8Array };
  to: { size: number; root: Uint8Array };
  hashes: readonly Uint8Array[];
}

/** Throws unless the newer tree begins with all leaves of the older one. */
export async function checkConsistency(consistency: Consistency, sha256: Sha256): Promise<void> {
  const { from, to, hashes } = consistency;
  if (from.size < 1 || from.size > to.size) {
    throw new SealError(
      'consistency',
      'The older checkpoint has to be the smaller one, with one leaf at least',
    );
  }
  if (from.size === to.size) {
    if (hashes.length > 0 || !areEqual(from.root, to.root)) {
      throw new SealError('consistency', 'Two checkpoints of the same size have different roots');
    }
    return;
  }
  const [older, newer] = await bothRoots(consistency, sha256);
  if (!areEqual(older, from.root) || !areEqual(newer, to.root)) {
    throw new SealError('consistency', 'The newer checkpoint does not contain the older one');
  }
}

/** The roots of the older and the newer tree that a proof leads to. */
async function bothRoots({ from, to, hashes }: Consistency, sha256: Sha256) {
  let [position, last] = [from.size - 1, to.size - 1];
  while (isOdd(position)) {
    [position, last] = [half(position), half(last)];
  }
  // An older tree that is complete is itself a node of the newer one, and left out of the proof.
  const [first, ...rest] = position === 0 ? [from.root, ...hashes] : hashes;
  if (first === undefined) {
    throw new SealError('consistency', 'The proof is empty');
  }
  let [older, newer] = [first, first];
  for (const hash of rest) {
    if (last === 0) {
      throw new SealError('consistency', 'The proof has too many hashes');
    }
    if (isOdd(position) || position === last) {
      older = await sha256(nodeInput(hash, older));
      newer = await sha256(nodeInput(hash, newer));
      while (!isOdd(position) && position !== 0) {
        [position, last] = [half(position), half(last)];
      }
    } else {
      newer = await sha256(nodeInput(newer, hash));
    }
    [position, last] = [half(position), half(last)];
  }
  if (last !== 0) {
    throw new SealError('consistency', 'The proof has too few hashes');
  }
  return [older, newer] as const;
}
