import type { Transaction } from '../api/transactions.ts';
import { Tag } from '../components/Tag.tsx';
import { tagOf } from './transaction-relations.ts';

/** Marks a transaction that was reversed or corrected, or that reverses or corrects another one. */
export function TransactionTag({ transaction }: { transaction: Transaction }) {
  const tag = tagOf(transaction);
  return tag === undefined ? null : (
    <>
      {/* Keeps the tag apart from the name before it, for the eye and for screen readers. */}{' '}
      <Tag tone={tag.isPutRight ? 'warning' : 'info'}>{tag.text}</Tag>
    </>
  );
}
