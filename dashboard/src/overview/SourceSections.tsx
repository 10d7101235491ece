import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { MoneyFlow } from '../components/Money.tsx';
import { rowsAddress } from './links.ts';
import classes from './Overview.module.css';
import own from './SourceSections.module.css';
import { type SourceBar, topSources } from './top-sources.ts';

const barsMax = 6;

interface SourceSectionsProps {
  guild: Guild;
  overview: Overview;
  isStale: boolean;
}

/** The deposits and withdrawals of the range, by source. */
export function SourceSections({ guild, overview, isStale }: SourceSectionsProps) {
  const { sources, range } = overview;
  if (sources.length === 0) return null;
  return (
    <div className={classes.columns}>
      <SourceSection
        title="Where it comes from"
        direction="in"
        guild={guild}
        range={range}
        bars={topSources(sources, { direction: 'in', countMax: barsMax })}
        isStale={isStale}
      />
      <SourceSection
        title="Where it goes to"
        direction="out"
        guild={guild}
        range={range}
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
  range: Overview['range'];
  bars: readonly SourceBar[];
  isStale: boolean;
}

function SourceSection({ title, direction, guild, range, bars, isStale }: SourceSectionProps) {
  return (
    <section className={classes.section} aria-labelledby={`sources-${direction}`}>
      <div className={classes.head}>
        <h2 id={`sources-${direction}`} className={classes.title}>
          {title}
        </h2>
      </div>
      {bars.length === 0 && <p className={classes.quiet}>Nothing in these days.</p>}
      <ul className={own.bars} data-stale={isStale || undefined}>
        {bars.map((bar) => (
          <li key={bar.source ?? ''}>
            <div className={own.barHead}>
              <SourceName source={bar.source} direction={direction} guild={guild} range={range} />
              <MoneyFlow value={direction === 'in' ? bar.sum : `-${bar.sum}`} />
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
  range: Overview['range'];
}

function SourceName({ source, direction, guild, range }: SourceNameProps) {
  if (source === null) return <span className={own.barName}>All others</span>;
  return (
    <Link to={rowsAddress(guild.guildId, range, { direction, source })} className={own.barName ?? ''}>
      <bdi>{source}</bdi>
    </Link>
  );
}
