import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { SourceTurnover } from '../api/overview.ts';
import { ledgerAddress } from '../components/addresses.ts';
import { MoneyFlow } from '../components/Money.tsx';
import classes from './Overview.module.css';
import { type SourceBar, topSources } from './top-sources.ts';

const barsMax = 6;

interface SourceSectionsProps {
  guild: Guild;
  sources: readonly SourceTurnover[];
  isStale: boolean;
}

/** Where the money of the chosen range came from, and where it went. */
export function SourceSections({ guild, sources, isStale }: SourceSectionsProps) {
  if (sources.length === 0) return null;
  return (
    <div className={classes.columns}>
      <SourceSection
        title="Where it comes from"
        direction="in"
        guild={guild}
        bars={topSources(sources, { direction: 'in', countMax: barsMax })}
        isStale={isStale}
      />
      <SourceSection
        title="Where it goes to"
        direction="out"
        guild={guild}
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
  bars: readonly SourceBar[];
  isStale: boolean;
}

function SourceSection({ title, direction, guild, bars, isStale }: SourceSectionProps) {
  return (
    <section className={classes.section} aria-labelledby={`sources-${direction}`}>
      <div className={classes.head}>
        <h2 id={`sources-${direction}`} className={classes.title}>
          {title}
        </h2>
      </div>
      {bars.length === 0 && <p className={classes.quiet}>Nothing in these days.</p>}
      <ul className={classes.bars} data-stale={isStale || undefined}>
        {bars.map((bar) => (
          <li key={bar.source ?? ''}>
            <div className={classes.barHead}>
              <SourceName source={bar.source} direction={direction} guild={guild} />
              <MoneyFlow value={direction === 'in' ? bar.sum : `-${bar.sum}`} />
            </div>
            <div className={classes.track} aria-hidden="true">
              <div className={classes.fill} data-direction={direction} style={{ width: `${bar.percent}%` }} />
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
}

function SourceName({ source, direction, guild }: SourceNameProps) {
  if (source === null) return <span className={classes.barName}>All others</span>;
  const bound = direction === 'in' ? { minAmount: '0' } : { maxAmount: '0' };
  return (
    <Link to={ledgerAddress(guild.guildId, { from: source, ...bound })} className={classes.barName ?? ''}>
      <bdi>{source}</bdi>
    </Link>
  );
}
