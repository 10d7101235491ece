// Copied from server/src/domain/seal by `npm run generate`; do not edit by hand.

import { type Bytes, hashFromBase64, toBase64 } from './bytes.ts';
import { type Note, parseNote } from './note.ts';
import { SealError } from './seal-error.ts';

/** Checkpoints as in c2sp.org/tlog-checkpoint: notes with the origin, the size and the root of a log. */

const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** A state of a log. */
export interface TreeHead {
  /** Identifies the log. The keys that sign its checkpoints have the same name. */
  origin: string;
  /** The number of leaves. */
  size: number;
  root: Bytes;
}

export interface Checkpoint extends TreeHead {
  note: Note;
}

/** The text that is signed. */
export function formatTreeHead({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** Reads a checkpoint. Nothing in it may be trusted before its signature is checked. Extension lines are ignored. */
export function parseCheckpoint(text: string): Checkpoint {
  const note = parseNote(text);
  const [origin = '', sizeText = '', rootText = '', ...rest] = note.text.slice(0, -1).split('\n');
  const root = hashFromBase64(rootText);
  const size = Number(sizeText);
  const isWhole = origin !== '' && SIZE.test(sizeText) && Number.isSafeInteger(size) && !rest.includes('');
  if (!isWhole || root === undefined) {
    throw new SealError('format', 'The note is not a checkpoint');
  }
  return { origin, size, root, note };
}
