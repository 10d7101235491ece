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

/** Every character that JSON writes in another way, and all beyond ASCII. */
const ESCAPED = /[^ !#-[\]-~]/;

/** A text in JSON. Most have nothing to escape, and a look at each character takes less time than `JSON.stringify`. */
function quoted(text: string | null): string {
  if (text === null) {
    return 'null';
  }
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * The text of a leaf: its canonical JSON, with the names in order. It takes half the time of `JSON.stringify` and much less than
 * `canonicalJson`. A test compares the two.
 */
export function leafText(leaf: Leaf): string {
  const { postedBy } = leaf;
  const metadata = leaf.metadata === null ? 'null' : canonicalJson(leaf.metadata);
  const money = `{"amount":"${leaf.amount}","balanceAfter":"${leaf.balanceAfter}","createdAt":"${leaf.createdAt}"`;
  const names = `,"metadata":${metadata},"name":${quoted(leaf.name)},"number":${leaf.number}`;
  const people = `,"paymentId":${quoted(leaf.paymentId)},"playerId":${quoted(leaf.playerId)}`;
  const poster = `,"postedBy":{"id":${quoted(postedBy.id)},"kind":"${postedBy.kind}"},"quantity":${leaf.quantity}`;
  const links = `,"reference":${quoted(leaf.reference)},"reverses":${quoted(leaf.reverses)},"source":${quoted(leaf.source)}`;
  const end = `,"total":"${leaf.total}","transactionId":${quoted(leaf.transactionId)}}`;
  return `${money}${names}${people}${poster}${links}${end}`;
}
