import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { IdSource } from '../ports.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets for storage. */
export interface Sealer {
  /** `open` needs the same label: a text sealed for one row cannot be opened in another. */
  seal(text: string, label: string): string;
  /** Undefined when it was sealed with another key or label, or was tampered with. */
  open(sealed: string, label: string): string | undefined;
}

/** Seals with the operator's present key, and opens texts sealed with the present or the previous one. */
export interface Keyring extends Sealer {
  /** The key that opens the text; undefined when neither does. */
  keyOf(sealed: string, label: string): 'present' | 'previous' | undefined;
}

/** AES-256-GCM under a key derived from the operator's secret, so that the secret may serve other purposes too. */
export function createSealer(secret: string, ids: IdSource): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'guildbook sealed at rest', KEY_BYTES));
  return {
    seal(text, label) {
      const nonce = ids.randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(label));
      const body = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...body]).toString('base64url');
    },
    open(sealed, label) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) {
        return undefined;
      }
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(label));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return (
          decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch {
        // The authentication tag does not match: wrong key, wrong label or changed text.
        return undefined;
      }
    },
  };
}

/** `find` returns the sealer of the present key, if there is one; `keep` creates a key when there is none. */
export function createKeyring(keys: {
  find: () => Sealer | undefined;
  keep: () => Sealer;
  previous: Sealer | undefined;
}): Keyring {
  const openPresent = (sealed: string, label: string) => keys.find()?.open(sealed, label);
  const openPrevious = (sealed: string, label: string) => keys.previous?.open(sealed, label);
  return {
    seal: (text, label) => keys.keep().seal(text, label),
    open: (sealed, label) => openPresent(sealed, label) ?? openPrevious(sealed, label),
    keyOf(sealed, label) {
      if (openPresent(sealed, label) !== undefined) {
        return 'present';
      }
      return openPrevious(sealed, label) === undefined ? undefined : 'previous';
    },
  };
}
