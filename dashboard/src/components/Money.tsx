import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { VisuallyHidden } from '@mantine/core';
import classes from './Money.module.css';
import { bareMoney, bareSigned, breakMoney, isLongMoney, shownPlaces, signOf, unitOfMoney } from './money.ts';

interface MoneyProps {
  value: string;
  /** The largest number of decimals in the column. */
  places?: number;
}

/** A deposit or withdrawal, marked by a sign and a colour, and by a hidden word for screen readers. */
export function MoneyFlow({ value, places = 0 }: MoneyProps) {
  const sign = signOf(value);
  if (sign === 0) {
    return (
      <span className={classes.flow}>
        <span>
          0<Padding value={value} places={places} />
          {unitOfMoney()}
        </span>
      </span>
    );
  }
  const isIn = sign > 0;
  return (
    <span className={classes.flow} data-direction={isIn ? 'in' : 'out'}>
      <VisuallyHidden>{isIn ? t`Deposit` : t`Withdrawal`} </VisuallyHidden>
      <span>
        <BreakableMoney text={bareSigned(value)} />
        <Padding value={value} places={places} />
        {unitOfMoney()}
      </span>
    </span>
  );
}

/** A balance. A negative one also has a text label, which only screen readers get in a column of numbers. */
export function Balance({ value, places = 0 }: MoneyProps) {
  const padding = <Padding value={value} places={places} />;
  if (signOf(value) >= 0) {
    return (
      <span className={classes.balance}>
        <BreakableMoney text={bareMoney(value)} />
        {padding}
        {unitOfMoney()}
      </span>
    );
  }
  return (
    <span className={classes.balance} data-overdrawn>
      <BreakableMoney text={bareMoney(value)} />
      {padding}
      {unitOfMoney()}{' '}
      {places > 0 ? (
        <VisuallyHidden>
          <Trans>overdrawn</Trans>
        </VisuallyHidden>
      ) : (
        <span className={classes.word}>
          <Trans>overdrawn</Trans>
        </span>
      )}
    </span>
  );
}

/** A formatted sum. A long one is marked for the styles around it, and may break after a long symbol. */
export function BreakableMoney({ text }: { text: string }) {
  if (!isLongMoney(text)) return text;
  const [first, digits] = breakMoney(text);
  return (
    <span data-long>
      {first}
      {digits !== undefined && (
        <>
          <wbr />
          {digits}
        </>
      )}
    </span>
  );
}

/** Takes the space of missing decimals, so that the decimal points of a column are aligned. */
function Padding({ value, places }: { value: string; places: number }) {
  const missing = places - shownPlaces(value);
  if (missing <= 0) return null;
  const text = `${shownPlaces(value) === 0 ? '.' : ''}${'0'.repeat(missing)}`;
  return (
    <span className={classes.padding} data-padding aria-hidden="true">
      {text}
    </span>
  );
}
