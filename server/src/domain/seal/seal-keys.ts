import type { Keyring } from '../access/sealing.ts';
import { DAY_MS } from '../calendar.ts';
import { OperatorError } from '../errors.ts';
import type { Clock, Store } from '../ports.ts';
import { type Bytes, fromBase64, toBase64 } from './bytes.ts';
import type { SealKeyRecord } from './seal-store.ts';
import { makeSealKey, openSealKey, type SealSigner, verifierKeyText } from './signing.ts';

/** After a rotation, checkpoints have the signatures of both keys for this long. */
export const BOTH_KEYS_MS = 30 * DAY_MS;
/** A key that another process added is used after this time at the latest. */
const READ_AGAIN_MS = 10_000;
/** A lost race for the number of a new key is repeated, a few times at most. */
const ATTEMPTS_MAX = 5;

/** The keys of the store at a moment. */
export interface SealKeyset {
  /** The beginning of the origins of all logs. */
  name: string;
  /** Those that sign now, the newest first. Empty when no key can be opened. */
  signers: SealSigner[];
  /** The public parts of all keys, the newest first. */
  publicKeys: Bytes[];
  newestCreatedAtMs: number;
}

/** The origin of a guild's log, which is also the name of its keys. */
export function originOf(name: string, guildId: string): string {
  return `${name}/seal/${encodeURIComponent(guildId)}`;
}

export interface SealKeysParts {
  store: Pick<Store, 'seals'>;
  keyring: Keyring;
  clock: Clock;
  /** The beginning of the origins if the store has no key yet. */
  nameOfNew: string;
  /** True when the operator's key is missing, and a new one would not open the secrets of the store. */
  isOperatorKeyLost?: () => Promise<boolean>;
}

const labelOf = (keyNo: number) => `seal key ${keyNo}`;

/** True when the operator's key opens the private part of a key, and it belongs to the public part. */
export function isOwnKey({ keyNo, sealedSecret, publicKey }: SealKeyRecord, keyring: Keyring): boolean {
  const secret = keyring.open(sealedSecret, labelOf(keyNo));
  return secret !== undefined && toBase64(openSealKey(secret).publicKey) === publicKey;
}

export function createSealKeys(parts: SealKeysParts) {
  const { store, keyring, clock, nameOfNew, isOperatorKeyLost = async () => false } = parts;
  const { seals } = store;
  let kept: { readAtMs: number; keys: SealKeyset } | undefined;

  async function add(name: string, last: SealKeyRecord | undefined): Promise<boolean> {
    const { publicKey, secret } = makeSealKey();
    const keyNo = (last?.keyNo ?? 0) + 1;
    const createdAtMs = clock.nowMs();
    const sealedSecret = keyring.seal(secret, labelOf(keyNo));
    return seals.addKey(
      { keyNo, name, publicKey: toBase64(publicKey), sealedSecret, createdAtMs },
      createdAtMs + BOTH_KEYS_MS,
    );
  }

  /** Opens a key, and encrypts it anew when the operator's previous key opened it. */
  async function open({ keyNo, sealedSecret }: SealKeyRecord): Promise<SealSigner | undefined> {
    const label = labelOf(keyNo);
    const secret = keyring.open(sealedSecret, label);
    if (secret !== undefined && keyring.keyOf(sealedSecret, label) === 'previous') {
      await seals.resealKey(keyNo, { from: sealedSecret, to: keyring.seal(secret, label) });
    }
    return secret === undefined ? undefined : openSealKey(secret);
  }

  async function toKeyset(records: readonly SealKeyRecord[]): Promise<SealKeyset> {
    const nowMs = clock.nowMs();
    const newestFirst = records.toReversed();
    const signing = newestFirst.filter(({ retiredAtMs }) => (retiredAtMs ?? nowMs + 1) > nowMs);
    const signers = await Promise.all(signing.map(open));
    const publicKeys = newestFirst.map(({ publicKey }) => fromBase64(publicKey));
    return {
      name: newestFirst[0]?.name ?? nameOfNew,
      signers: signers.filter((signer) => signer !== undefined),
      publicKeys: publicKeys.filter((key) => key !== undefined),
      newestCreatedAtMs: newestFirst[0]?.createdAtMs ?? 0,
    };
  }

  /** The keys in the store. The first is made when there is none. */
  async function read(): Promise<SealKeyset> {
    const readAtMs = clock.monotonicMs();
    if (kept === undefined || readAtMs - kept.readAtMs > READ_AGAIN_MS) {
      let records = await seals.keys();
      if (records.length === 0) {
        if (await isOperatorKeyLost()) {
          throw new OperatorError('the key that encrypts the secrets of this store is missing: put it back');
        }
        // Another process may add the first key at the same time: then that one counts.
        await add(nameOfNew, undefined);
        records = await seals.keys();
      }
      kept = { readAtMs, keys: await toKeyset(records) };
    }
    return kept.keys;
  }

  return {
    read,
    /** Adds a key, which signs from now on. Those before it sign for 30 more days. */
    async rotate(): Promise<void> {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
        const records = await seals.keys();
        if (await add(records.at(-1)?.name ?? nameOfNew, records.at(-1))) {
          kept = undefined;
          return;
        }
      }
      throw new OperatorError('other processes are adding keys: try again');
    },
    /** The verifier keys of a guild's log, the newest first. */
    async verifierKeys(guildId: string): Promise<string[]> {
      const { name, publicKeys } = await read();
      return publicKeys.map((key) => verifierKeyText(originOf(name, guildId), key));
    },
  };
}

export type SealKeys = ReturnType<typeof createSealKeys>;
