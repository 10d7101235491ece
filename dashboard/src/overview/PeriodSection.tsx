import { IconArrowDown, IconArrowUp, IconEqual } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { overviewAddress } from '../components/addresses.ts';
import { formatDay } from '../components/days.ts';
import { type Figure, Figures } from '../components/Figures.tsx';
import { addMoney, formatMoney, groupCount, roundMoney } from '../components/money.ts';
import { RoundedMoney } from '../components/RoundedMoney.tsx';
import { type Change, changeOfCount, changeOfSum } from './change.ts';
import { comparisonOf } from './comparison.ts';
import { daysOf, rowsAddress } from './links.ts';
import classes from './Overview.module.css';

interface PeriodSectionProps {
  guild: Guild;
  overview: Overview;
  isCompared: boolean;
}

/** The figures of the range, each compared with the period before and linked to its rows. */
export function PeriodSection({ guild, overview, isCompared }: PeriodSectionProps) {
  const { figures, range, closing } = overview;
  const days = daysOf(overview);
  const compared = comparisonOf(overview);
  const note = (change: Change | undefined) => isCompared && <ChangeNote change={change} />;
  const sum = (name: 'deposits' | 'withdrawals'): Pick<Figure, 'value' | 'length' | 'note'> => {
    const sumText = figures[name].current;
    const to = rowsAddress(guild.guildId, days, { direction: name === 'deposits' ? 'in' : 'out' });
    return {
      value: (
        <RowsLink to={to}>
          <RoundedMoney value={sumText} />
        </RowsLink>
      ),
      length: formatMoney(roundMoney(sumText)).length,
      note: note(changeOfSum(figures[name])),
    };
  };
  const records = (kind: 'discharges' | 'transfers') => (
    <RowsLink to={`${overviewAddress(guild.guildId)}/${kind}?since=${range.since}&until=${range.until}`}>
      {groupCount(figures[kind].current)}
    </RowsLink>
  );
  const moved = addMoney(closing.balance, overview.opening === '0' ? '0' : negated(overview.opening));
  const moment = endText(range);
  return (
    <section aria-label="Figures of the range">
      <Figures
        figures={[
          {
            label: 'Guild total',
            value: <RoundedMoney value={closing.balance} />,
            length: formatMoney(roundMoney(closing.balance)).length,
            note: (
              <>
                {moment}, <RoundedMoney value={moved} isSigned /> in this range
              </>
            ),
          },
          { label: 'Money in', ...sum('deposits') },
          { label: 'Money out', ...sum('withdrawals') },
          {
            label: 'Transactions',
            value: (
              <RowsLink to={rowsAddress(guild.guildId, days)}>
                {groupCount(figures.transactions.current)}
              </RowsLink>
            ),
            note: note(changeOfCount(figures.transactions)),
          },
          {
            label: 'Accounts',
            value: groupCount(closing.accounts),
            note: `${moment}, ${groupCount(figures.accountsOpened.current)} new${
              isCompared ? `, ${groupCount(figures.accountsOpened.previous)} before` : ''
            }`,
          },
          {
            label: 'Records',
            value: (
              <>
                {records('discharges')} + {records('transfers')}
              </>
            ),
            note: 'Discharges + transfers',
          },
        ]}
      />
      {isCompared && (
        <p className={classes.compared}>
          {compared.current} compared with {compared.previous}, {compared.length} each.
        </p>
      )}
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

/** The moment of a total: now, or the end of a range that has passed. */
function endText({ until, untilAt }: Overview['range']): string {
  return Date.parse(untilAt) > Date.now() ? 'Now' : `At the end of ${formatDay(until)}`;
}

function ChangeNote({ change }: { change: Change | undefined }) {
  if (!change) return 'Nothing before';
  const { Icon, word } = looks[change.direction];
  return (
    <span className={classes.change}>
      <Icon size={14} stroke={2} aria-hidden="true" />
      <span className={classes.changeSize}>
        {change.direction === 'same' ? word : `${change.size} ${word}`}
      </span>
      {change.direction === 'same' ? 'as before' : 'than before'}
    </span>
  );
}
