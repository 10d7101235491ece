import type { VerifiedReceipt } from '../../../client/src/verify-receipt.ts';
import type { Fact } from '../components/Facts.tsx';

const labels = {
  total: 'Total',
  name: 'Name',
  playerId: 'Player',
  source: 'Source',
  balanceAfter: 'Balance after it',
  createdAt: 'Time',
  reference: 'Reference',
  transactionId: 'Transaction',
} as const;

/** The fields of a sealed transaction as they are shown: exactly as they were sealed. */
export function transactionFacts({ transaction, origin, index, size }: VerifiedReceipt): Fact[] {
  const shown = Object.entries(labels).flatMap(([name, label]) => {
    const value = transaction[name];
    return typeof value === 'string' ? [{ label, value }] : [];
  });
  const place = `${(index + 1).toLocaleString('en')} of ${size.toLocaleString('en')} when the checkpoint was signed`;
  return [...shown, { label: 'Place in the log', value: place }, { label: 'Log', value: origin }];
}
