import { createHmac } from 'node:crypto';
import type { IdSource } from '../ports.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The time after a rotation for which deliveries are signed with the old secret too. */
export const ROTATION_OVERLAP_MS = 24 * 3_600_000;

export function createSecret(ids: IdSource): string {
  return `${PREFIX}${Buffer.from(ids.randomBytes(SECRET_BYTES)).toString('base64')}`;
}

/** The value of `webhook-signature` according to Standard Webhooks: one signature per secret. */
export function signatureOf(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    })
    .join(' ');
}
