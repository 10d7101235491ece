// Copied from server/src/domain/seal by `npm run generate`; do not edit by hand.

import { type Bytes, fromBase64, hashFromBase64, toBase64 } from './bytes.ts';
import { SealError } from './seal-error.ts';

/** Proofs of inclusion as text, as in c2sp.org/tlog-proof. */

const HEAD = 'c2sp.org/tlog-proof@v1';
const INDEX = /^index (0|[1-9]\d{0,15})$/;
/** A tree of 2^53 leaves has no longer proofs. */
export const PROOF_HASHES_MAX = 53;

export interface ProofText {
  /** Data that the application needs beside the proof. No signature covers it. */
  extra?: Uint8Array | undefined;
  index: number;
  hashes: readonly Bytes[];
  checkpoint: string;
}

export function formatProof({ extra, index, hashes, checkpoint }: ProofText): string {
  const lines = [
    HEAD,
    ...(extra === undefined ? [] : [`extra ${toBase64(extra)}`]),
    `index ${index}`,
    ...hashes.map(toBase64),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

export function parseProof(text: string): ProofText {
  const split = text.indexOf('\n\n');
  const [head, ...lines] = text.slice(0, Math.max(split, 0)).split('\n');
  const extraText = lines[0]?.startsWith('extra ') ? lines.shift()?.slice('extra '.length) : undefined;
  const extra = extraText === undefined ? undefined : fromBase64(extraText);
  const [, indexText] = INDEX.exec(lines.shift() ?? '') ?? [];
  const hashes = lines.map(hashFromBase64);
  const isWhole = head === HEAD && (extraText === undefined) === (extra === undefined);
  if (!isWhole || indexText === undefined || hashes.length > PROOF_HASHES_MAX || !areWhole(hashes)) {
    throw new SealError('format', 'This is not a proof of a transparency log');
  }
  return { extra, index: Number(indexText), hashes, checkpoint: text.slice(split + 2) };
}

function areWhole(hashes: (Bytes | undefined)[]): hashes is Bytes[] {
  return !hashes.includes(undefined);
}
