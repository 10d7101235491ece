import { isoText } from '../iso-text.ts';
import { decimalText } from '../ledger/amount.ts';
import type { Metadata } from '../model.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * The facts of a transaction that never change, and therefore make up its leaf. A field that transactions get later must not
 * change the leaves of older ones.
 */
export interface SealedTransaction {
  number: number;
  transactionId: string;
  playerId: string;
  amountUnits: number;
  quantity: number;
  totalUnits: number;
  balanceUnits: number;
  name: string;
  source: string;
  createdAtMs: number;
  reference: string | null;
  metadata: Metadata | null;
  paymentId: string | null;
  /** The id of the transaction that this one takes back. */
  reverses: string | null;
  keyId: string | null;
  /** The chat account of the person who posted it by hand. */
  postedBy: string | null;
}

/** A transaction as its leaf has it. Amounts are texts, because the largest have more digits than every JSON parser keeps. */
export interface Leaf {
  amount: string;
  balanceAfter: string;
  createdAt: string;
  metadata: Metadata | null;
  name: string;
  number: number;
  paymentId: string | null;
  playerId: string;
  postedBy: { id: string | null; kind: 'key' | 'user' | 'import' };
  quantity: number;
  reference: string | null;
  reverses: string | null;
  source: string;
  total: string;
  transactionId: string;
}

export function toLeaf(transaction: SealedTransaction): Leaf {
  const { keyId, postedBy } = transaction;
  return {
    amount: decimalText(transaction.amountUnits),
    balanceAfter: decimalText(transaction.balanceUnits),
    createdAt: isoText(transaction.createdAtMs),
    metadata: transaction.metadata,
    name: transaction.name,
    number: transaction.number,
    paymentId: transaction.paymentId,
    playerId: transaction.playerId,
    postedBy: {
      id: keyId ?? postedBy,
      kind: keyId !== null ? 'key' : postedBy !== null ? 'user' : 'import',
    },
    quantity: transaction.quantity,
    reference: transaction.reference,
    reverses: transaction.reverses,
    source: transaction.source,
    total: decimalText(transaction.totalUnits),
    transactionId: transaction.transactionId,
  };
}

/**
 * The text of a leaf. The fields of `Leaf` are in order, so that only metadata has to be sorted: `JSON.stringify` takes half the
 * time of `canonicalJson`, and a test compares the two.
 */
export function leafText(leaf: Leaf): string {
  return leaf.metadata === null ? JSON.stringify(leaf) : canonicalJson({ ...leaf });
}
