import { GuildbookError } from './errors.ts';

export interface CallOptions {
  /** Ends the call, whether it is under way or waiting for its next attempt. */
  signal?: AbortSignal | undefined;
}

export interface PostOptions extends CallOptions {
  /**
   * What makes this post one of a kind, such as the id of an order or of a chat message: posted again with the same
   * key, even by another process, it counts once. Without it each call gets a key of its own, for its own retries.
   */
  idempotencyKey?: string | undefined;
}

const KEY_LENGTH_MAX = 255;

/** What is not printable cannot stand in a header, and spaces at its ends would be lost on the way. */
export function checkIdempotencyKey(key: string, lengthMax = KEY_LENGTH_MAX): void {
  if (!/^[ -~]+$/.test(key) || key.length > lengthMax || key !== key.trim()) {
    const rule = `idempotencyKey must be 1 to ${lengthMax} printable ASCII characters without spaces at its ends`;
    throw new GuildbookError('bad-request', `Bad request - ${rule}`);
  }
}
