import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { areEqual, type Bytes } from './bytes.ts';
import { type Checkpoint, formatTreeHead, parseCheckpoint, type TreeHead } from './checkpoint.ts';
import { formatNote, formatVerifierKey, keyIdInput, signatureOf, toKeyId, type VerifierKey } from './note.ts';
import { SealError } from './seal-error.ts';
import { sha256 } from './tree.ts';

/** Ed25519 keys that sign the checkpoints of all logs of a store. */

// The fixed bytes before a raw key in its DER form (RFC 8410).
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** A key of the store. `secret` is its private part as text, which is stored encrypted. */
export interface NewSealKey {
  publicKey: Bytes;
  secret: string;
}

export function makeSealKey(): NewSealKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: rawKey(publicKey),
    secret: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  };
}

/** Signs for any log. */
export interface SealSigner {
  publicKey: Bytes;
  sign(text: string): Bytes;
}

export function openSealKey(secret: string): SealSigner {
  const privateKey = createPrivateKey({ key: Buffer.from(secret, 'base64'), type: 'pkcs8', format: 'der' });
  return {
    publicKey: rawKey(createPublicKey(privateKey)),
    sign: (text) => Uint8Array.from(sign(null, Buffer.from(text), privateKey)),
  };
}

function rawKey(key: KeyObject): Bytes {
  return Uint8Array.from(key.export({ type: 'spki', format: 'der' }).subarray(PUBLIC_HEAD.length));
}

/** The key under the name of a log. */
export function verifierKeyOf(origin: string, publicKey: Bytes): VerifierKey {
  return { name: origin, keyId: toKeyId(sha256(keyIdInput(origin, publicKey))), publicKey };
}

export function verifierKeyText(origin: string, publicKey: Bytes): string {
  return formatVerifierKey(verifierKeyOf(origin, publicKey));
}

/** A checkpoint with a signature by each of the keys. */
export function signCheckpoint(head: TreeHead, signers: readonly SealSigner[]): string {
  const text = formatTreeHead(head);
  const signatures = signers.map((signer) => ({
    ...verifierKeyOf(head.origin, signer.publicKey),
    signature: signer.sign(text),
  }));
  return formatNote({ text, signatures });
}

/** Reads a checkpoint of a log. Throws a `SealError` unless one of the keys has signed it. */
export function openCheckpoint(text: string, origin: string, publicKeys: readonly Bytes[]): Checkpoint {
  const checkpoint = parseCheckpoint(text);
  if (checkpoint.origin !== origin) {
    throw new SealError('key', `The checkpoint is of ${checkpoint.origin}, not of ${origin}`);
  }
  const known = publicKeys.map((publicKey) => verifierKeyOf(origin, publicKey));
  const signed = known.find(({ keyId }) =>
    checkpoint.note.signatures.some((one) => one.name === origin && areEqual(one.keyId, keyId)),
  );
  if (signed === undefined) {
    throw new SealError('key', 'The checkpoint is not signed by a key of this store');
  }
  const signature = signatureOf(checkpoint.note, signed);
  const key = createPublicKey({
    key: Buffer.concat([PUBLIC_HEAD, signed.publicKey]),
    type: 'spki',
    format: 'der',
  });
  if (!verify(null, Buffer.from(checkpoint.note.text), key, signature)) {
    throw new SealError('signature', 'The signature of the checkpoint does not fit');
  }
  return checkpoint;
}
