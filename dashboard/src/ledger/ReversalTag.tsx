import type { Transaction } from '../api/transactions.ts';
import { Tag } from '../components/Tag.tsx';
import { reversalTag } from './reversal-form.ts';

/** Marks a transaction that was reversed, or that reverses another one. */
export function ReversalTag({ transaction }: { transaction: Transaction }) {
  const text = reversalTag(transaction);
  return text === undefined ? null : (
    <>
      {/* Keeps the tag apart from the name before it, for the eye and for screen readers. */}{' '}
      <Tag tone={text === 'Reversed' ? 'warning' : 'info'}>{text}</Tag>
    </>
  );
}
