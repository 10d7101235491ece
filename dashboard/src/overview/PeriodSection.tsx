import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconArrowDown, IconArrowUp, IconEqual } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { overviewAddress } from '../components/addresses.ts';
import { formatDay } from '../components/days.ts';
import { type Figure, Figures } from '../components/Figures.tsx';
import { addMoney, formatRounded, groupCount } from '../components/money.ts';
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
  const sum = (name: 'deposits' | 'withdrawals'): Pick<Figure, 'value' | 'text' | 'note'> => {
    const sumText = figures[name].current;
    const to = rowsAddress(guild.guildId, days, { direction: name === 'deposits' ? 'in' : 'out' });
    return {
      value: (
        <RowsLink to={to}>
          <RoundedMoney value={sumText} />
        </RowsLink>
      ),
      text: formatRounded(sumText),
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
  const opened = figures.accountsOpened.current;
  const openedBefore = groupCount(figures.accountsOpened.previous);
  return (
    <section aria-label={t`Figures of the range`}>
      <Figures
        figures={[
          {
            label: t`Guild total`,
            value: <RoundedMoney value={closing.balance} />,
            text: formatRounded(closing.balance),
            note: (
              <>
                <Trans>
                  {moment}, <RoundedMoney value={moved} isSigned /> in this range
                </Trans>
              </>
            ),
          },
          { label: t`Money in`, ...sum('deposits') },
          { label: t`Money out`, ...sum('withdrawals') },
          {
            label: t`Transactions`,
            value: (
              <RowsLink to={rowsAddress(guild.guildId, days)}>
                {groupCount(figures.transactions.current)}
              </RowsLink>
            ),
            note: note(changeOfCount(figures.transactions)),
          },
          {
            label: t`Accounts`,
            value: groupCount(closing.accounts),
            note: isCompared
              ? plural(opened, {
                  one: `${moment}, # new, ${openedBefore} before`,
                  other: `${moment}, # new, ${openedBefore} before`,
                })
              : plural(opened, { one: `${moment}, # new`, other: `${moment}, # new` }),
          },
          {
            label: t`Records`,
            value: (
              <>
                {records('discharges')} + {records('transfers')}
              </>
            ),
            note: t`Discharges + transfers`,
          },
        ]}
      />
      {isCompared && (
        <p className={classes.compared}>
          <Trans>
            {compared.current} compared with {compared.previous}, {compared.length} each.
          </Trans>
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

const icons = { up: IconArrowUp, down: IconArrowDown, same: IconEqual } as const;

/** The moment of a total: now, or the end of a range that has passed. */
function endText({ until, untilAt }: Overview['range']): string {
  return Date.parse(untilAt) > Date.now() ? t`Now` : t`At the end of ${formatDay(until)}`;
}

function ChangeNote({ change }: { change: Change | undefined }) {
  if (!change) return t`Nothing before`;
  const Icon = icons[change.direction];
  return (
    <span className={classes.change}>
      <Icon size={14} stroke={2} aria-hidden="true" />
      <span>
        <ChangeWords change={change} />
      </span>
    </span>
  );
}

/** The important words stand out. */
function ChangeWords({ change: { direction, size } }: { change: Change }) {
  switch (direction) {
    case 'up':
      return (
        <Trans>
          <span className={classes.changeSize}>{size} more</span> than before
        </Trans>
      );
    case 'down':
      return (
        <Trans>
          <span className={classes.changeSize}>{size} less</span> than before
        </Trans>
      );
    case 'same':
      return (
        <Trans>
          <span className={classes.changeSize}>Same</span> as before
        </Trans>
      );
  }
}
