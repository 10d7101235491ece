import { path } from './address.ts';
import type { CallOptions } from './calls.ts';
import { dataOf } from './cursor-pages.ts';
import { type Answer, readField } from './parse-response.ts';
import type { GetConsistencyReplyData, GetSealReplyData, Receipt } from './schema.ts';
import type { Request } from './send.ts';
import { isGetConsistencyReplyData, isGetSealReplyData, isReceipt } from './shapes.ts';

/** Checkpoints, receipts and proofs of the sealed ledger. */
export interface SealCalls {
  /** The last checkpoint, the keys that check it, and how far behind it is. Scope `guild:read`. */
  getSeal(options?: CallOptions): Promise<GetSealReplyData>;
  /**
   * The receipt of a transaction, for `verifyReceipt`. In the first seconds after the post it rejects with a `conflict` whose
   * code is `not_sealed_yet`. Scope `guild:read`.
   */
  getReceipt(transactionId: string, options?: CallOptions): Promise<Receipt>;
  /** The proof from an older checkpoint of this size to the present one, for `verifyConsistency`. Scope `guild:read`. */
  getConsistency(from: number, options?: CallOptions): Promise<GetConsistencyReplyData>;
}

export function createSealCalls(send: (request: Request) => Promise<Answer>): SealCalls {
  const get = (address: string, { signal }: CallOptions = {}) =>
    send({ method: 'GET', path: address, signal });
  return {
    async getSeal(options) {
      return readField(await get('/guild/seal', options), 'data', isGetSealReplyData);
    },
    async getReceipt(transactionId, options) {
      return dataOf(
        await get(path`/guild/transactions/${transactionId}/receipt`, options),
        'receipt',
        isReceipt,
      );
    },
    async getConsistency(from, options) {
      const answer = await get(`/guild/seal/consistency?from=${from}`, options);
      return readField(answer, 'data', isGetConsistencyReplyData);
    },
  };
}
