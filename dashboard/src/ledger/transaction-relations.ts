import { t } from '@lingui/core/macro';
import type { Transaction } from '../api/transactions.ts';
import { addMoney } from '../components/money.ts';

type Related = Pick<Transaction, 'reverses' | 'reversedBy' | 'corrections' | 'metadata'>;

/** The id of the transaction that this one corrects, if there is one. */
export function correctedId({ metadata }: Pick<Transaction, 'metadata'>): string | undefined {
  return metadata?.corrects;
}

interface RelationTag {
  text: string;
  /** A later transaction has put this one right. */
  isPutRight: boolean;
}

export function tagOf(transaction: Related): RelationTag | undefined {
  if (transaction.reversedBy !== null) return { text: t`Reversed`, isPutRight: true };
  if (transaction.corrections.length > 0) return { text: t`Corrected`, isPutRight: true };
  if (transaction.reverses !== null) return { text: t`Reversal`, isPutRight: false };
  return correctedId(transaction) === undefined ? undefined : { text: t`Correction`, isPutRight: false };
}

/** The part of the account that is left of a transaction: with its corrections, or without itself when it was reversed. */
export function effectiveTotal({
  total,
  reversedBy,
  corrections,
}: Pick<Transaction, 'total' | 'reversedBy' | 'corrections'>): string {
  return corrections.reduce(
    (sum, correction) => addMoney(sum, correction.total),
    reversedBy === null ? total : '0',
  );
}
