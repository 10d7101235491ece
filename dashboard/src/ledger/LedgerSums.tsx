import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { RoundedMoney } from '../components/RoundedMoney.tsx';
import { exactMoment } from '../components/time.ts';
import classes from './LedgerSums.module.css';
import { type Counted, countText } from './ledger-count.ts';

interface LedgerSumsProps extends Counted {
  /** The sums are those of the previous filter while the present ones are loading. */
  isStale: boolean;
}

/** Count, deposits, withdrawals and net of what is filtered. */
export function LedgerSums({ sums, total, isNarrowed, isStale }: LedgerSumsProps) {
  return (
    <span className={classes.line} data-stale={isStale || undefined}>
      <span className={classes.count}>{countText({ sums, total, isNarrowed })}</span>
      {sums && (
        <>
          <Sum label={t`in`} value={sums.deposits} sums={sums} />
          <Sum label={t`out`} value={sums.withdrawals === '0' ? '0' : `-${sums.withdrawals}`} sums={sums} />
          <Sum label={t`net`} value={sums.net} sums={sums} />
          {sums.searchedTo !== null && (
            <span className={classes.note}>
              <Trans>since {exactMoment(Date.parse(sums.searchedTo))}</Trans>
            </span>
          )}
        </>
      )}
    </span>
  );
}

interface SumProps {
  label: string;
  value: string;
  sums: { deposits: string; withdrawals: string };
}

function Sum({ label, value, sums: { deposits, withdrawals } }: SumProps) {
  return (
    <span>
      <RoundedMoney value={value} isSigned beside={[deposits, withdrawals]} />{' '}
      <span className={classes.note}>{label}</span>
    </span>
  );
}
