import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import type { Clock } from '../../domain/ports.ts';

/** Older requests are refused, so that a recorded one cannot be sent again later. */
export const SIGNATURE_AGE_MAX_MS = 300_000;
const SIGNATURE = /^[0-9a-f]{128}$/i;
const TIMESTAMP = /^\d{1,12}$/;

/** Reads the application's public key, 32 bytes as hexadecimal digits. */
export function readPublicKey(hex: string): KeyObject {
  const x = Buffer.from(hex, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Checks that Discord signed a request: Ed25519 over the timestamp and the body as it was sent. */
export function createVerify(publicKey: KeyObject, clock: Pick<Clock, 'nowMs'>) {
  return (headers: Readonly<Record<string, string | string[] | undefined>>, body: Uint8Array): void => {
    const signature = headers['x-signature-ed25519'];
    const timestamp = headers['x-signature-timestamp'];
    if (
      typeof signature !== 'string' ||
      typeof timestamp !== 'string' ||
      !SIGNATURE.test(signature) ||
      !TIMESTAMP.test(timestamp) ||
      Math.abs(clock.nowMs() - Number(timestamp) * 1_000) > SIGNATURE_AGE_MAX_MS ||
      !verify(null, Buffer.concat([Buffer.from(timestamp), body]), publicKey, Buffer.from(signature, 'hex'))
    ) {
      throw new DomainError('invalid_signature');
    }
  };
}
