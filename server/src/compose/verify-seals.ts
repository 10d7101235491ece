import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Clock, IdSource } from '../domain/ports.ts';
import { fromBase64, hashFromBase64 } from '../domain/seal/bytes.ts';
import { canonicalJson, type Json } from '../domain/seal/canonical-json.ts';
import { parseProof } from '../domain/seal/proof-text.ts';
import { SealError } from '../domain/seal/seal-error.ts';
import { isOwnKey } from '../domain/seal/seal-keys.ts';
import { type KeptCheckpoint, verifySeals } from '../domain/seal/verify-seals.ts';
import { createOperatorKeyring, keyFileOf } from './secret-key.ts';
import { openStore } from './stores.ts';

export interface SealVerification {
  /** Violated promises of sealed logs, as sentences. */
  findings: string[];
  /** False when the operator's key is not known here, so that nothing shows that the keys of the store are its own. */
  areKeysChecked: boolean;
  hasKeys: boolean;
}

/** Computes the sealed log of every guild again, and compares it with the store and with checkpoints that were kept elsewhere. */
export async function verifyStoreSeals(
  config: Config,
  { ids }: { clock: Clock; ids: IdSource },
  checkpoints: readonly KeptCheckpoint[],
  onProgress: (count: number) => void,
): Promise<SealVerification> {
  const findings: string[] = [];
  const store = await openStore(config, {
    schema: 'expect',
    onFatal(error) {
      throw error;
    },
  });
  try {
    const keys = await store.seals.keys();
    const areKeysChecked = config.secretKey !== undefined || keyFileOf(config)?.isThere === true;
    const keyring = createOperatorKeyring(config, ids);
    for (const key of areKeysChecked ? keys : []) {
      if (!isOwnKey(key, keyring)) {
        findings.push(
          `key ${key.keyNo} of the sealed logs was not made by this service, or SECRET_KEY is another one`,
        );
      }
    }
    const publicKeys = keys.map(({ publicKey }) => fromBase64(publicKey)).filter((key) => key !== undefined);
    const name = keys[0]?.name ?? '';
    await verifySeals({ store, name, publicKeys, checkpoints, add: (one) => findings.push(one), onProgress });
    return { findings, areKeysChecked, hasKeys: keys.length > 0 };
  } finally {
    await store.close();
  }
}

/** Reads a checkpoint from a file: as text, in a receipt, or in an answer of the interface. */
export function readCheckpointFile(place: string): KeptCheckpoint {
  let text: string;
  try {
    text = readFileSync(place, 'utf8');
  } catch (error) {
    throw new OperatorError(`${place} cannot be read`, { cause: error });
  }
  try {
    return { place, ...readKept(text) };
  } catch (error) {
    if (error instanceof SealError || error instanceof SyntaxError) {
      throw new OperatorError(`${place} has no checkpoint`, { cause: error });
    }
    throw error;
  }
}

type KeptText = Omit<KeptCheckpoint, 'place'>;

/** A receipt, or an answer with a checkpoint. */
interface Answer {
  checkpoint?: string;
  transaction?: Json;
  index?: number;
  proof?: string[];
}

function readKept(text: string): KeptText {
  if (text.trimStart().startsWith('{')) {
    const given: Answer & { receipt?: Answer; data?: Answer & { receipt?: Answer } } = JSON.parse(text);
    return readAnswer(given.receipt ?? given.data?.receipt ?? given.data ?? given);
  }
  if (!text.startsWith('c2sp.org/tlog-proof')) {
    return { text };
  }
  const { extra, index, hashes, checkpoint } = parseProof(text);
  const receipt = extra && { leaf: Buffer.from(extra).toString(), index, hashes };
  return { text: checkpoint, receipt };
}

/** An answer with a proof but without a transaction is about the whole log. */
function readAnswer({ checkpoint = '', transaction, index, proof }: Answer): KeptText {
  if (transaction === undefined || index === undefined) {
    return { text: checkpoint };
  }
  const hashes = (proof ?? []).map((hash) => hashFromBase64(hash) ?? new Uint8Array());
  return { text: checkpoint, receipt: { leaf: canonicalJson(transaction), index, hashes } };
}
