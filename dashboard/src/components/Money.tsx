import { VisuallyHidden } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import classes from './Money.module.css';
import { formatMoney, formatSigned, placesOf, signOf } from './money.ts';

interface MoneyProps {
  value: string;
  /** The longest decimals of the column that it stands in. */
  places?: number;
}

/** What goes into an account or out of it: told by an arrow, a sign and a colour, and in a word to who listens. */
export function MoneyFlow({ value, places = 0 }: MoneyProps) {
  const sign = signOf(value);
  if (sign === 0) {
    return (
      <span className={classes.flow}>
        0<Padding value={value} places={places} />
      </span>
    );
  }
  const isIn = sign > 0;
  const Icon = isIn ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <span className={classes.flow} data-direction={isIn ? 'in' : 'out'}>
      <Icon size={15} stroke={2} aria-hidden="true" />
      <VisuallyHidden>{isIn ? 'Deposit ' : 'Withdrawal '}</VisuallyHidden>
      <span>
        {formatSigned(value)}
        <Padding value={value} places={places} />
      </span>
    </span>
  );
}

/** What an account holds. One below zero says so in a word, too. */
export function Balance({ value, places = 0 }: MoneyProps) {
  const padding = <Padding value={value} places={places} />;
  if (signOf(value) >= 0) {
    return (
      <span className={classes.balance}>
        {formatMoney(value)}
        {padding}
      </span>
    );
  }
  return (
    <span className={classes.balance} data-overdrawn data-in-column={places > 0 || undefined}>
      {formatMoney(value)}
      {padding} <span className={classes.word}>overdrawn</span>
    </span>
  );
}

/** Takes the room of the decimals that a sum lacks, so that the points of a column stand below one another. */
function Padding({ value, places }: { value: string; places: number }) {
  const missing = places - placesOf(value);
  if (missing <= 0) return null;
  const text = `${placesOf(value) === 0 ? '.' : ''}${'0'.repeat(missing)}`;
  return (
    <span className={classes.padding} data-padding aria-hidden="true">
      {text}
    </span>
  );
}
