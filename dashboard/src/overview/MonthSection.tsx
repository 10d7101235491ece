import { IconArrowDown, IconArrowUp, IconEqual } from '@tabler/icons-react';
import type { MonthFigures, Overview } from '../api/overview.ts';
import { formatDays, formatShortDays } from '../components/days.ts';
import { Figures } from '../components/Figures.tsx';
import { formatMoney, groupCount } from '../components/money.ts';
import { type Change, changeOfCount, changeOfSum } from './change.ts';
import classes from './Overview.module.css';

/** The month so far, each figure beside the same days of the month before. */
export function MonthSection({ overview }: { overview: Overview }) {
  const { month } = overview;
  const deposits = formatMoney(month.deposits.current);
  const withdrawals = formatMoney(month.withdrawals.current);
  return (
    <section aria-labelledby="month-title">
      <div className={classes.head}>
        <div>
          <h2 id="month-title" className={classes.title}>
            This month so far
          </h2>
          <p className={classes.note}>
            {formatDays(month.since, month.until)}, compared with the same days of the month before. Days are
            in UTC.
          </p>
        </div>
      </div>
      <Figures
        figures={[
          {
            label: 'Accounts',
            value: groupCount(overview.accounts),
            note: <Opened month={month} />,
          },
          {
            label: 'Money in',
            value: deposits,
            length: deposits.length,
            note: <ChangeNote change={changeOfSum(month.deposits)} month={month} />,
          },
          {
            label: 'Money out',
            value: withdrawals,
            length: withdrawals.length,
            note: <ChangeNote change={changeOfSum(month.withdrawals)} month={month} />,
          },
          {
            label: 'Discharges',
            value: groupCount(month.discharges.current),
            note: <ChangeNote change={changeOfCount(month.discharges)} month={month} />,
          },
          {
            label: 'Transfers',
            value: groupCount(month.transfers.current),
            note: <ChangeNote change={changeOfCount(month.transfers)} month={month} />,
          },
        ]}
      />
    </section>
  );
}

/** Accounts are counted from the beginning; what belongs to the month are those that were opened in it. */
function Opened({ month }: { month: MonthFigures }) {
  const { current, previous } = month.accountsOpened;
  return (
    <>
      <span className={classes.changeSize}>{groupCount(current)} new</span>, {groupCount(previous)} in{' '}
      {formatShortDays(month.previousSince, month.previousUntil)}
    </>
  );
}

const looks = {
  up: { Icon: IconArrowUp, word: 'more' },
  down: { Icon: IconArrowDown, word: 'less' },
  same: { Icon: IconEqual, word: 'Same' },
} as const;

function ChangeNote({ change, month }: { change: Change | undefined; month: MonthFigures }) {
  const before = formatShortDays(month.previousSince, month.previousUntil);
  if (!change) return `Nothing in ${before}`;
  const { Icon, word } = looks[change.direction];
  return (
    <span className={classes.change}>
      <Icon size={14} stroke={2} aria-hidden="true" />
      <span className={classes.changeSize}>
        {change.direction === 'same' ? word : `${change.size} ${word}`}
      </span>
      {change.direction === 'same' ? 'as' : 'vs.'} {before}
    </span>
  );
}
