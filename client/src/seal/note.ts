// Copied from server/src/domain/seal by `npm run generate`; do not edit by hand.

import { type Bytes, concatenate, fromBase64, toBase64, toUtf8 } from './bytes.ts';
import { SealError } from './seal-error.ts';

/** Signed notes and verifier keys as in c2sp.org/signed-note, with Ed25519 signatures. */

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Longer notes, or those with more signatures, are refused before anything is computed. */
const NOTE_LENGTH_MAX = 100_000;
const SIGNATURES_MAX = 64;
const SIGNATURE_LINE = /^— (\S+) (\S+)$/;
const KEY_NAME = /^[^\s+]+$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a note must not contain them
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/** A key that checks signatures, as the text of a verifier key has it. */
export interface VerifierKey {
  name: string;
  keyId: Bytes;
  publicKey: Bytes;
}

export interface NoteSignature {
  name: string;
  keyId: Bytes;
  signature: Bytes;
}

export interface Note {
  /** The signed text, which ends with a newline. */
  text: string;
  signatures: NoteSignature[];
}

/** The bytes whose SHA-256 begins with the id of a key. */
export function keyIdInput(name: string, publicKey: Uint8Array): Bytes {
  return concatenate(toUtf8(`${name}\n`), Uint8Array.of(ED25519), publicKey);
}

/** The id of a key, from the SHA-256 of `keyIdInput`. */
export function toKeyId(hash: Uint8Array): Bytes {
  return Uint8Array.from(hash.subarray(0, KEY_ID_BYTES));
}

export function formatVerifierKey({ name, keyId, publicKey }: VerifierKey): string {
  return `${name}+${toHex(keyId)}+${toBase64(concatenate(Uint8Array.of(ED25519), publicKey))}`;
}

/** Reads a verifier key. The caller compares `keyId` with the hash of `keyIdInput`. */
export function parseVerifierKey(text: string): VerifierKey {
  const [name = '', id = '', ...rest] = text.trim().split('+');
  // The base64 of the key may contain plus signs itself.
  const bytes = fromBase64(rest.join('+'));
  const isWhole = KEY_NAME.test(name) && /^[0-9a-f]{8}$/.test(id);
  if (!isWhole || bytes?.length !== 1 + PUBLIC_KEY_BYTES || bytes[0] !== ED25519) {
    throw new SealError('format', 'The verifier key is not one of an Ed25519 key');
  }
  return { name, keyId: fromHex(id), publicKey: bytes.slice(1) };
}

export function formatNote({ text, signatures }: Note): string {
  const lines = signatures.map(
    ({ name, keyId, signature }) => `— ${name} ${toBase64(concatenate(keyId, signature))}\n`,
  );
  return `${text}\n${lines.join('')}`;
}

/** Reads a note. Nothing in it may be trusted before one of its signatures is checked. */
export function parseNote(note: string): Note {
  const split = note.lastIndexOf('\n\n');
  if (note.length > NOTE_LENGTH_MAX || split === -1 || !note.endsWith('\n') || CONTROL.test(note)) {
    throw new SealError('format', 'This is not a signed note');
  }
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > SIGNATURES_MAX) {
    throw new SealError('format', 'The note has too many signatures');
  }
  return { text: note.slice(0, split + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
  const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (!KEY_NAME.test(name) || bytes === undefined || bytes.length <= KEY_ID_BYTES) {
    throw new SealError('format', 'A signature of the note is malformed');
  }
  return { name, keyId: bytes.slice(0, KEY_ID_BYTES), signature: bytes.slice(KEY_ID_BYTES) };
}

/** The signature by a key. Others are ignored, as the specification demands. */
export function signatureOf({ signatures }: Note, key: Pick<VerifierKey, 'name' | 'keyId'>): Bytes {
  const id = toHex(key.keyId);
  const found = signatures.find(({ name, keyId }) => name === key.name && toHex(keyId) === id);
  if (found === undefined) {
    throw new SealError('key', `The checkpoint is not signed by the key of ${key.name}`);
  }
  if (found.signature.length !== SIGNATURE_BYTES) {
    throw new SealError('format', 'The signature does not have 64 bytes');
  }
  return found.signature;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
