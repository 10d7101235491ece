import { t } from '@lingui/core/macro';
import type { VerifiedReceipt } from '../../../client/src/verify-receipt.ts';
import { lazily } from '../components/lazily.ts';
import { bareMoney, groupCount } from '../components/money.ts';
import { dateLanguage } from '../texts/languages.ts';
import classes from './ReceiptPage.module.css';

const labels = lazily(
  () =>
    ({
      total: t`Total`,
      name: t`Name`,
      playerId: t`Player`,
      source: t`Source`,
      balanceAfter: t`Balance after it`,
      createdAt: t({ message: 'Time', context: 'date and time' }),
      reference: t({ message: 'Reference', context: 'of a transaction' }),
      transactionId: t`Transaction`,
    }) as const,
);

const timeFormat = new Intl.DateTimeFormat(dateLanguage, {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** The fields of a sealed transaction. Amounts have all the digits that were sealed. */
export function TransactionFacts({ receipt }: { receipt: VerifiedReceipt }) {
  const { transaction, origin, index, size } = receipt;
  const shown = Object.entries(labels()).flatMap(([name, label]) => {
    const value = transaction[name];
    return typeof value === 'string' ? [{ label, value: describe(name, value, transaction) }] : [];
  });
  const place = t`${groupCount(index + 1)} of ${groupCount(size)} when the checkpoint was signed`;
  const facts = [...shown, { label: t`Place in the log`, value: place }, { label: t`Log`, value: origin }];
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

function describe(name: string, text: string, { quantity, amount }: VerifiedReceipt['transaction']): string {
  if (name === 'createdAt' && !Number.isNaN(Date.parse(text)))
    return `${timeFormat.format(Date.parse(text))} UTC`;
  if (name !== 'total' && name !== 'balanceAfter') return text;
  const value = bareMoney(text);
  const isOfSeveral = name === 'total' && typeof quantity === 'number' && quantity !== 1;
  return isOfSeveral ? t`${value} (${quantity} times ${bareMoney(String(amount))})` : value;
}
