// Copied from server/src/domain/seal by `npm run generate`; do not edit by hand.

/**
 * The check that failed. `format`: the text has another form. `key`: there is no signature by the given key. `signature`: the
 * signature does not match the text. `proof`: the transaction and the hashes do not lead to the signed root. `consistency`: the
 * hashes do not lead from one checkpoint to the other.
 */
export type SealFault = 'format' | 'key' | 'signature' | 'proof' | 'consistency';

/** A receipt, a checkpoint or a proof that does not hold. */
export class SealError extends Error {
  readonly fault: SealFault;

  constructor(fault: SealFault, message: string) {
    super(message);
    this.name = 'SealError';
    this.fault = fault;
  }
}
