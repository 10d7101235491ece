import { IconArrowDown, IconArrowUp, IconEqual } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { overviewAddress } from '../components/addresses.ts';
import { formatShortDays } from '../components/days.ts';
import { type Figure, Figures } from '../components/Figures.tsx';
import { addMoney, formatMoney, formatSigned, groupCount } from '../components/money.ts';
import { type Change, changeOfCount, changeOfSum } from './change.ts';
import { rowsAddress } from './links.ts';
import classes from './Overview.module.css';

interface PeriodSectionProps {
  guild: Guild;
  overview: Overview;
  isCompared: boolean;
}

/** The figures of the range, each compared with the period before and linked to its rows. */
export function PeriodSection({ guild, overview, isCompared }: PeriodSectionProps) {
  const { figures, range, previous, days } = overview;
  const note = (change: Change | undefined) =>
    isCompared && <ChangeNote change={change} overview={overview} />;
  const sum = (name: 'deposits' | 'withdrawals'): Pick<Figure, 'value' | 'length' | 'note'> => {
    const text = formatMoney(figures[name].current);
    const to = rowsAddress(guild.guildId, range, { direction: name === 'deposits' ? 'in' : 'out' });
    return {
      value: <RowsLink to={to}>{text}</RowsLink>,
      length: text.length,
      note: note(changeOfSum(figures[name])),
    };
  };
  const count = (name: 'transactions' | 'discharges' | 'transfers', to: string) => ({
    value: <RowsLink to={to}>{groupCount(figures[name].current)}</RowsLink>,
    note: note(changeOfCount(figures[name])),
  });
  const records = (kind: string) =>
    `${overviewAddress(guild.guildId)}/${kind}?since=${range.since}&until=${range.until}`;
  const closing = days.reduce(
    (total, day) =>
      addMoney(addMoney(total, day.deposits), day.withdrawals === '0' ? '0' : `-${day.withdrawals}`),
    overview.opening,
  );
  const moved = addMoney(closing, overview.opening === '0' ? '0' : negated(overview.opening));
  return (
    <section aria-label="Figures of the range">
      <Figures
        figures={[
          {
            label: 'Guild total',
            value: formatMoney(overview.balance),
            length: formatMoney(overview.balance).length,
            note: `${formatSigned(moved)} in this range`,
          },
          { label: 'Money in', ...sum('deposits') },
          { label: 'Money out', ...sum('withdrawals') },
          { label: 'Transactions', ...count('transactions', rowsAddress(guild.guildId, range)) },
          {
            label: 'Accounts',
            value: groupCount(overview.accounts),
            note: `${groupCount(figures.accountsOpened.current)} new${
              isCompared ? `, ${groupCount(figures.accountsOpened.previous)} in ${periodText(previous)}` : ''
            }`,
          },
          { label: 'Discharges', ...count('discharges', records('discharges')) },
          { label: 'Transfers', ...count('transfers', records('transfers')) },
          {
            label: 'Overdrawn accounts',
            value: groupCount(overview.overdrawn.count),
            note: 'Below zero now',
          },
        ]}
      />
    </section>
  );
}

function negated(sum: string): string {
  return sum.startsWith('-') ? sum.slice(1) : `-${sum}`;
}

function RowsLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={classes.figureLink ?? ''}>
      {children}
    </Link>
  );
}

const looks = {
  up: { Icon: IconArrowUp, word: 'more' },
  down: { Icon: IconArrowDown, word: 'less' },
  same: { Icon: IconEqual, word: 'Same' },
} as const;

function periodText({ since, until }: { since: string; until: string }): string {
  return formatShortDays(since, until);
}

function ChangeNote({ change, overview }: { change: Change | undefined; overview: Overview }) {
  const before = periodText(overview.previous);
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
