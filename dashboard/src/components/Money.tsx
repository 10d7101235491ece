import { VisuallyHidden } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import classes from './Money.module.css';
import { formatMoney, formatSigned, signOf } from './money.ts';

/** What goes into an account or out of it: told by an arrow, a sign and a colour, and in a word to who listens. */
export function MoneyFlow({ value }: { value: string }) {
  const sign = signOf(value);
  if (sign === 0) return <span className={classes.flow}>0</span>;
  const isIn = sign > 0;
  const Icon = isIn ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <span className={classes.flow} data-direction={isIn ? 'in' : 'out'}>
      <Icon size={15} stroke={2} aria-hidden="true" />
      <VisuallyHidden>{isIn ? 'Deposit ' : 'Withdrawal '}</VisuallyHidden>
      <span>{formatSigned(value)}</span>
    </span>
  );
}

/** What an account holds. One below zero says so in a word, too. */
export function Balance({ value }: { value: string }) {
  if (signOf(value) >= 0) return <span className={classes.balance}>{formatMoney(value)}</span>;
  return (
    <span className={classes.balance} data-overdrawn>
      {formatMoney(value)} <span className={classes.word}>overdrawn</span>
    </span>
  );
}
