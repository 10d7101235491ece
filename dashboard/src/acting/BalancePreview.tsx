import { Trans } from '@lingui/react/macro';
import { Balance } from '../components/Money.tsx';
import { formatMoney, formatSigned } from '../components/money.ts';
import classes from './Acting.module.css';
import type { BalanceChange } from './balance-change.ts';

export interface PreviewLine {
  playerId: string;
  /** The name of the person, or what stands for it. */
  label: string;
  /** The present balance. */
  before: string;
  /** With its sign; undefined while the amount is incomplete, like `balance`. */
  change: string | undefined;
  balance: BalanceChange | undefined;
  lowest: string | null;
}

/** The balance of each account before and after, before anything is posted. */
export function BalancePreview({ lines }: { lines: readonly PreviewLine[] }) {
  return (
    <dl className={classes.preview} aria-live="polite">
      {lines.map(({ playerId, label, before, change, balance, lowest }) => (
        <div key={playerId} data-state={balance?.state}>
          <dt>
            <bdi>{label}</bdi>
            {change !== undefined && <span className={classes.change}>{formatSigned(change)}</span>}
          </dt>
          <dd>
            <span className={classes.before}>{formatMoney(before)} →</span>{' '}
            {balance ? <Balance value={balance.after} /> : '–'}
            {balance?.state === 'refused' && lowest !== null && (
              <span className={classes.refused}>
                <Trans>The lowest balance allowed is {formatMoney(lowest)}</Trans>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
