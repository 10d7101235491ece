import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { MoneyFlow } from '../components/Money.tsx';
import { placesOf } from '../components/money.ts';
import { daysOf, rowsAddress, type SummedDays } from './links.ts';
import classes from './Overview.module.css';
import own from './SourceSections.module.css';
import { type SourceBar, topSources } from './top-sources.ts';

const barsMax = 4;

interface SourceSectionsProps {
  guild: Guild;
  overview: Overview;
  isStale: boolean;
}

/** The deposits and withdrawals of the range, by source. */
export function SourceSections({ guild, overview, isStale }: SourceSectionsProps) {
  const { sources } = overview;
  const days = daysOf(overview);
  if (sources.length === 0) return null;
  return (
    <div className={classes.columns}>
      <SourceSection
        title={t`Where it comes from`}
        direction="in"
        guild={guild}
        days={days}
        bars={topSources(sources, { direction: 'in', countMax: barsMax })}
        isStale={isStale}
      />
      <SourceSection
        title={t`Where it goes to`}
        direction="out"
        guild={guild}
        days={days}
        bars={topSources(sources, { direction: 'out', countMax: barsMax })}
        isStale={isStale}
      />
    </div>
  );
}

interface SourceSectionProps {
  title: string;
  direction: 'in' | 'out';
  guild: Guild;
  days: SummedDays;
  bars: readonly SourceBar[];
  isStale: boolean;
}

function SourceSection({ title, direction, guild, days, bars, isStale }: SourceSectionProps) {
  const places = Math.max(0, ...bars.map(({ sum }) => placesOf(sum)));
  return (
    <section className={classes.section} aria-labelledby={`sources-${direction}`}>
      <div className={classes.head}>
        <h2 id={`sources-${direction}`} className={classes.title}>
          {title}
        </h2>
      </div>
      {bars.length === 0 && (
        <p className={classes.quiet}>
          <Trans>Nothing in these days.</Trans>
        </p>
      )}
      <ul className={own.bars} data-stale={isStale || undefined}>
        {bars.map((bar) => (
          <li key={bar.source ?? ''}>
            <div className={own.barHead}>
              <SourceName source={bar.source} direction={direction} guild={guild} days={days} />
              <MoneyFlow value={direction === 'in' ? bar.sum : `-${bar.sum}`} places={places} />
            </div>
            <div className={own.track} aria-hidden="true">
              <div className={own.fill} data-direction={direction} style={{ width: `${bar.percent}%` }} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface SourceNameProps {
  source: string | null;
  direction: 'in' | 'out';
  guild: Guild;
  days: SummedDays;
}

function SourceName({ source, direction, guild, days }: SourceNameProps) {
  if (source === null)
    return (
      <span className={own.barName}>
        <Trans>All others</Trans>
      </span>
    );
  return (
    <Link
      to={rowsAddress(guild.guildId, days, { direction, source })}
      className={own.barName ?? ''}
      dir="auto"
    >
      {source}
    </Link>
  );
}
