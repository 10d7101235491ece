// Copied from server/src/domain/seal by `npm run generate`; do not edit by hand.

/**
 * The part that fails: `format` is a text of another form, `key` a signature by other keys than the given one, `signature` a
 * signature that does not fit, `proof` a transaction and hashes that do not lead to the signed root, and `consistency` hashes
 * that do not lead from one checkpoint to the other.
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
