import { createHash } from 'node:crypto';

/** RFC 6962 written down as it stands there, to compare with. It shares nothing with the service. */

function sha256(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(part);
  }
  return hash.digest();
}

function splitOf(count: number): number {
  return 2 ** Math.ceil(Math.log2(count) - 1);
}

/** Trees over the beginnings of one list of leaf hashes. Hashes of ranges are kept, since most proofs share them. */
export function createReference(leaves: readonly Uint8Array[]) {
  const kept = new Map<string, Uint8Array>();

  /** MTH(D[start:end]) of section 2.1. */
  function hashOf(start: number, end: number): Uint8Array {
    if (end - start <= 1) {
      return leaves[start] ?? sha256();
    }
    const name = `${start} ${end}`;
    const middle = start + splitOf(end - start);
    const hash = kept.get(name) ?? sha256(Uint8Array.of(1), hashOf(start, middle), hashOf(middle, end));
    kept.set(name, hash);
    return hash;
  }

  /** PATH(m, D[start:end]) of section 2.1.1. */
  function path(index: number, start: number, end: number): Uint8Array[] {
    if (end - start === 1) {
      return [];
    }
    const middle = start + splitOf(end - start);
    return index < middle
      ? [...path(index, start, middle), hashOf(middle, end)]
      : [...path(index, middle, end), hashOf(start, middle)];
  }

  /** SUBPROOF(m, D[start:end], b) of section 2.1.2. */
  function subproof(from: number, [start, end]: [number, number], isWhole: boolean): Uint8Array[] {
    if (from === end) {
      return isWhole ? [] : [hashOf(start, end)];
    }
    const middle = start + splitOf(end - start);
    return from <= middle
      ? [...subproof(from, [start, middle], isWhole), hashOf(middle, end)]
      : [...subproof(from, [middle, end], false), hashOf(start, middle)];
  }

  return {
    root: (size: number) => hashOf(0, size),
    inclusion: (index: number, size: number) => path(index, 0, size),
    consistency: (from: number, size: number) => subproof(from, [0, size], true),
  };
}
