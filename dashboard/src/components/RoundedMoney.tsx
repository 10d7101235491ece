import type { ClipboardEvent } from 'react';
import { BreakableMoney } from './Money.tsx';
import { formatMoney, formatRounded, formatSigned } from './money.ts';
import classes from './RoundedMoney.module.css';

interface RoundedMoneyProps {
  value: string;
  /** Adds a plus sign to positive sums. */
  isSigned?: boolean;
  /** Other sums of the same line, which are rounded alike. */
  beside?: readonly string[];
}

/** A sum in a headline, rounded to what a person reads. The exact sum is shown on hover, read aloud, and copied. */
export function RoundedMoney({ value, isSigned = false, beside = [] }: RoundedMoneyProps) {
  const exact = isSigned ? formatSigned(value) : formatMoney(value);
  const rounded = formatRounded(value, { isSigned, beside });
  if (exact === rounded) {
    return (
      <span className={classes.money}>
        <BreakableMoney text={exact} />
      </span>
    );
  }
  return (
    <span className={classes.money} data-rounded title={exact} onCopy={(event) => copyExact(event, exact)}>
      <BreakableMoney text={rounded} />
    </span>
  );
}

/** Only when nothing else is selected: a selection over several elements is copied as it is shown. */
function copyExact(event: ClipboardEvent<HTMLElement>, exact: string): void {
  const selection = window.getSelection();
  const isInside = [selection?.anchorNode, selection?.focusNode].every(
    (node) => node && event.currentTarget.contains(node),
  );
  if (!isInside) return;
  event.clipboardData.setData('text/plain', exact);
  event.preventDefault();
}
