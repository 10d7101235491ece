import { fieldOf } from './check-shape.ts';
import { areEqual, type Bytes, hashFromBase64, toBase64, toUtf8 } from './seal/bytes.ts';
import { canonicalJson, type Json } from './seal/canonical-json.ts';
import { checkConsistency, checkInclusion, leafInput, type ProofStep } from './seal/check-proofs.ts';
import { type Checkpoint, parseCheckpoint } from './seal/checkpoint.ts';
import { keyIdInput, parseVerifierKey, signatureOf, toKeyId, type VerifierKey } from './seal/note.ts';
import { PROOF_HASHES_MAX, parseProof } from './seal/proof-text.ts';
import { SealError } from './seal/seal-error.ts';

export type { ProofStep } from './seal/check-proofs.ts';
export { SealError, type SealFault } from './seal/seal-error.ts';

/** A verifier key as text, or several while one replaces another: a signature by any of them is accepted. */
export type VerifierKeys = string | readonly string[];

/** A receipt that holds. */
export interface VerifiedReceipt {
  /** The transaction as it was sealed. */
  transaction: { readonly [name: string]: Json };
  /** Identifies the log. */
  origin: string;
  /** The place of the transaction in the log, from 0. */
  index: number;
  /** The number of transactions in the log when the checkpoint was signed. */
  size: number;
  /** The signed root in base64. */
  root: string;
  leafHash: Uint8Array;
  /** The hashes on the way from the transaction to the root. */
  steps: ProofStep[];
}

interface ReceiptParts {
  transaction: { readonly [name: string]: Json };
  index: number;
  hashes: readonly Bytes[];
  checkpoint: string;
}

/**
 * Checks a receipt: the signature of its checkpoint, and the proof that the log has its transaction. Takes the receipt of
 * the interface as an object or as JSON text, or the text of a tlog-proof. Rejects with a `SealError` when it does not
 * hold, and with a `TypeError` when the verifier key is malformed. It sends nothing anywhere.
 */
export async function verifyReceipt(receipt: unknown, verifierKey: VerifierKeys): Promise<VerifiedReceipt> {
  const { transaction, index, hashes, checkpoint: text } = readReceipt(receipt);
  const checkpoint = parseCheckpoint(text);
  const keys = await Promise.all([verifierKey].flat().map(readKey));
  const { origin, size, root } = await checkSigned(checkpoint, keys);
  const leafHash = await sha256(leafInput(toUtf8(canonicalJson(transaction))));
  const steps = await checkInclusion({ index, size, leafHash, hashes }, root, sha256);
  return { transaction, origin, index, size, root: toBase64(root), leafHash, steps };
}

export interface ConsistencyInput {
  /** The older checkpoint, as it was kept. */
  from: string;
  /** The newer checkpoint, and the proof from the older one to it, as the interface answers them. */
  to: { checkpoint: string; proof: readonly string[] };
}

/** Checks that a newer checkpoint contains everything of an older one. Rejects like `verifyReceipt`. */
export async function verifyConsistency(
  { from, to }: ConsistencyInput,
  verifierKey: VerifierKeys,
): Promise<{ origin: string; fromSize: number; size: number }> {
  const keys = await Promise.all([verifierKey].flat().map(readKey));
  const older = await checkSigned(parseCheckpoint(from), keys);
  const newer = await checkSigned(parseCheckpoint(to.checkpoint), keys);
  if (older.origin !== newer.origin) {
    throw new SealError('consistency', 'The checkpoints are of two different logs');
  }
  await checkConsistency({ from: older, to: newer, hashes: readHashes(to.proof) }, sha256);
  return { origin: newer.origin, fromSize: older.size, size: newer.size };
}

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

async function readKey(text: string): Promise<VerifierKey> {
  let key: VerifierKey;
  try {
    key = parseVerifierKey(text);
  } catch (error) {
    throw new TypeError('verifierKey must be the verifier key of a sealed ledger', { cause: error });
  }
  if (!areEqual(toKeyId(await sha256(keyIdInput(key.name, key.publicKey))), key.keyId)) {
    throw new TypeError('verifierKey has a typing error: its id is not that of its key');
  }
  return key;
}

/** Returns the checkpoint if one of the keys has signed it. */
async function checkSigned(checkpoint: Checkpoint, keys: readonly VerifierKey[]): Promise<Checkpoint> {
  const { note, origin } = checkpoint;
  const known = keys.find(({ name, keyId }) =>
    note.signatures.some((one) => one.name === name && areEqual(one.keyId, keyId)),
  );
  if (known === undefined || known.name !== origin) {
    throw new SealError('key', `The checkpoint of ${origin} is not signed by the key that you trust`);
  }
  const key = await crypto.subtle.importKey('raw', known.publicKey, 'Ed25519', false, ['verify']);
  const signature = signatureOf(note, known);
  if (!(await crypto.subtle.verify('Ed25519', key, signature, toUtf8(note.text)))) {
    throw new SealError('signature', 'The signature of the checkpoint does not fit');
  }
  return checkpoint;
}

function readReceipt(given: unknown): ReceiptParts {
  if (typeof given !== 'string') {
    return readObject(given);
  }
  if (!given.trimStart().startsWith('{')) {
    const { extra, index, hashes, checkpoint } = parseProof(given);
    return { transaction: readTransaction(parseJson(decode(extra))), index, hashes, checkpoint };
  }
  return readObject(parseJson(given));
}

/** Reads a receipt, also within the answer of the interface. */
function readObject(given: unknown): ReceiptParts {
  const receipt = fieldOf(fieldOf(given, 'data'), 'receipt') ?? given;
  const [index, checkpoint] = [fieldOf(receipt, 'index'), fieldOf(receipt, 'checkpoint')];
  if (typeof index !== 'number' || typeof checkpoint !== 'string') {
    throw new SealError('format', 'This is not a receipt');
  }
  const hashes = readHashes(fieldOf(receipt, 'proof'));
  return { transaction: readTransaction(fieldOf(receipt, 'transaction')), index, hashes, checkpoint };
}

function readTransaction(given: unknown): ReceiptParts['transaction'] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new SealError('format', 'The receipt has no transaction');
  }
  // It was parsed from JSON, or is hashed as JSON.
  return given as ReceiptParts['transaction'];
}

function readHashes(given: unknown): Bytes[] {
  if (!Array.isArray(given) || given.length > PROOF_HASHES_MAX * 2) {
    throw new SealError('format', 'The receipt has no proof');
  }
  return given.map((text: unknown) => {
    const hash = typeof text === 'string' ? hashFromBase64(text) : undefined;
    if (hash === undefined) {
      throw new SealError('format', 'A hash of the proof is malformed');
    }
    return hash;
  });
}

function decode(bytes: Uint8Array | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SealError('format', 'The receipt has no transaction');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SealError('format', 'The receipt is cut off, or is not JSON');
  }
}
