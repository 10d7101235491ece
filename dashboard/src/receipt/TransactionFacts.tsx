import type { VerifiedReceipt } from '../../../client/src/verify-receipt.ts';
import classes from './ReceiptPage.module.css';

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

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** The fields of a sealed transaction. Amounts are as they were sealed. */
export function TransactionFacts({ receipt }: { receipt: VerifiedReceipt }) {
  const { transaction, origin, index, size } = receipt;
  const shown = Object.entries(labels).flatMap(([name, label]) => {
    const value = transaction[name];
    return typeof value === 'string' ? [{ label, value: describe(name, value, transaction) }] : [];
  });
  const place = `${(index + 1).toLocaleString('en')} of ${size.toLocaleString('en')} when the checkpoint was signed`;
  const facts = [...shown, { label: 'Place in the log', value: place }, { label: 'Log', value: origin }];
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function describe(name: string, value: string, { quantity, amount }: VerifiedReceipt['transaction']): string {
  if (name === 'createdAt' && !Number.isNaN(Date.parse(value)))
    return `${timeFormat.format(Date.parse(value))} UTC`;
  const isOfSeveral = name === 'total' && typeof quantity === 'number' && quantity !== 1;
  return isOfSeveral ? `${value} (${quantity} times ${amount})` : value;
}
