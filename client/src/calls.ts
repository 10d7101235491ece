import { GuildbookError } from './errors.ts';

export interface CallOptions {
  /** Aborts the call, whether it is being sent or waiting for its next attempt. */
  signal?: AbortSignal | undefined;
}

export interface PostOptions extends CallOptions {
  /**
   * Identifies this post, for example by the id of an order or of a chat message: repeated with the same key, even by
   * another process, it is posted once. Without it each call generates a key for its own retries.
   */
  idempotencyKey?: string | undefined;
}

const KEY_LENGTH_MAX = 255;

/** A header cannot contain unprintable characters, and spaces at its ends would be removed on the way. */
export function checkIdempotencyKey(key: string, lengthMax = KEY_LENGTH_MAX): void {
  if (!/^[ -~]+$/.test(key) || key.length > lengthMax || key !== key.trim()) {
    const rule = `idempotencyKey must be 1 to ${lengthMax} printable ASCII characters without spaces at its ends`;
    throw new GuildbookError('bad-request', `Bad request - ${rule}`);
  }
}
