import { t } from '@lingui/core/macro';
import { fieldOf } from '../../../client/src/check-shape.ts';
import { areEqual, hashFromBase64, toUtf8 } from '../../../client/src/seal/bytes.ts';
import { canonicalJson } from '../../../client/src/seal/canonical-json.ts';
import { followInclusion, leafInput, type ProofStep } from '../../../client/src/seal/check-proofs.ts';
import { parseCheckpoint } from '../../../client/src/seal/checkpoint.ts';
import { SealError, type VerifiedReceipt, verifyReceipt } from '../../../client/src/verify-receipt.ts';

/** The steps of a check, in order. */
export const stepNames = ['read', 'key', 'signature', 'path'] as const;
export type StepName = (typeof stepNames)[number];

export interface StepResult {
  name: StepName;
  /** `yours` is for the reader to check: the key comes from the receipt itself. */
  state: 'right' | 'wrong' | 'open' | 'yours';
}

/** The key to check with, and whether the reader entered it. A key that the receipt names proves nothing by itself. */
export interface GivenKey {
  verifierKey: string;
  isEntered: boolean;
}

/** The hashes from the transaction up to the root that they lead to, and the root that was signed. */
export interface ReceiptPath {
  leafHash: Uint8Array;
  steps: readonly ProofStep[];
  signedRoot: Uint8Array;
  isRight: boolean;
}

export interface ReceiptCheck {
  steps: StepResult[];
  /** Why it does not hold, or was not checked; undefined when it holds. */
  fault: string | undefined;
  isKeyEntered: boolean;
  receipt: VerifiedReceipt | undefined;
  path: ReceiptPath | undefined;
}

const stepOfFault = {
  format: 'read',
  key: 'key',
  signature: 'signature',
  proof: 'path',
  consistency: 'path',
} as const;

/** Checks a receipt in this browser, step by step. Nothing is sent anywhere. */
export async function checkReceipt(text: string, given: GivenKey): Promise<ReceiptCheck> {
  const { verifierKey, isEntered: isKeyEntered } = given;
  try {
    const receipt = await verifyReceipt(text, verifierKey);
    const signedRoot = hashFromBase64(receipt.root) ?? new Uint8Array();
    const path = { leafHash: receipt.leafHash, steps: receipt.steps, signedRoot, isRight: true };
    return { steps: resultsUpTo(undefined, given), fault: undefined, isKeyEntered, receipt, path };
  } catch (error) {
    const failed = failedStep(error);
    const path = failed === 'path' ? await wrongPath(text) : undefined;
    const fault = explain(error, verifierKey);
    return { steps: resultsUpTo(failed, given), fault, isKeyEntered, receipt: undefined, path };
  }
}

function resultsUpTo(failed: StepName | undefined, { isEntered }: GivenKey): StepResult[] {
  const end = failed === undefined ? stepNames.length : stepNames.indexOf(failed);
  const passed = (name: StepName) => (name === 'key' && !isEntered ? 'yours' : 'right');
  return stepNames.map((name, index) => ({
    name,
    state: index < end ? passed(name) : index === end ? 'wrong' : 'open',
  }));
}

function failedStep(error: unknown): StepName {
  if (error instanceof SealError) return stepOfFault[error.fault];
  // The key that was entered, or a browser without Ed25519.
  return error instanceof TypeError ? 'key' : 'signature';
}

function explain(error: unknown, verifierKey: string): string {
  if (error instanceof SealError) return t`This receipt does not hold. ${error.message}.`;
  if (verifierKey === '') return t`Enter the verifier key of the guild.`;
  if (error instanceof TypeError) return t`This is not a verifier key. Copy the whole line from your guild.`;
  return t`This browser cannot check Ed25519 signatures. Use a newer one.`;
}

/** The path that a receipt with a wrong transaction or wrong hashes claims. */
async function wrongPath(text: string): Promise<ReceiptPath | undefined> {
  const receipt = readJson(text);
  const proof = fieldOf(receipt, 'proof');
  const [transaction, index, checkpoint] = ['transaction', 'index', 'checkpoint'].map((name) =>
    fieldOf(receipt, name),
  );
  if (!Array.isArray(proof) || typeof index !== 'number' || typeof checkpoint !== 'string') return undefined;
  try {
    const { size, root } = parseCheckpoint(checkpoint);
    const hashes = proof.map((hash) => hashFromBase64(String(hash)) ?? new Uint8Array());
    // It was read before, when the receipt was checked.
    const leaf = toUtf8(canonicalJson(transaction as Parameters<typeof canonicalJson>[0]));
    const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const leafHash = await sha256(leafInput(leaf));
    const steps = await followInclusion({ index, size, leafHash, hashes }, sha256);
    return { leafHash, steps, signedRoot: root, isRight: areEqual(steps.at(-1)?.hash ?? leafHash, root) };
  } catch {
    return undefined;
  }
}

function readJson(text: string): unknown {
  try {
    const given: unknown = JSON.parse(text);
    return fieldOf(fieldOf(given, 'data'), 'receipt') ?? given;
  } catch {
    return undefined;
  }
}

/** The key that a receipt names. It proves nothing, because a forger can name any key. */
export function keyIn(text: string): string | undefined {
  const key = fieldOf(readJson(text), 'verifierKey');
  return typeof key === 'string' ? key : undefined;
}
