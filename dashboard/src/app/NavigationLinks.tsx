import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconBook2, IconLayoutGrid, IconTerminal2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import { keptRange } from '../components/date-range.ts';
import { entryPath, guildPageAddress, navigationOf } from './guild-pages.ts';
import { isAt } from './guild-place.ts';
import classes from './NavigationLinks.module.css';

interface NavigationLinksProps {
  guild: Guild | undefined;
  isSignedIn: boolean;
  /** Called when a link was followed, so that a drawer can close. */
  onNavigate?: (() => void) | undefined;
}

/** The pages that share the range of time. */
const rangePages: ReadonlySet<string> = new Set(['', 'ledger', 'audit']);

const iconProps = { size: 18, stroke: 1.7, 'aria-hidden': true } as const;

/**
 * The pages of the open guild, or the pages outside of guilds. Inside a guild the menu of guilds leads to all guilds,
 * and the menu of the account to the references.
 */
export function NavigationLinks({ guild, isSignedIn, onNavigate }: NavigationLinksProps) {
  return (
    <nav aria-label={t`Main`} className={classes.navigation}>
      {guild ? (
        <GuildLinks guild={guild} onNavigate={onNavigate} />
      ) : (
        <PublicLinks isSignedIn={isSignedIn} onNavigate={onNavigate} />
      )}
    </nav>
  );
}

function GuildLinks({ guild, onNavigate }: { guild: Guild } & FollowProps) {
  const { pathname, search } = useLocation();
  const kept = keptRange(search);
  const openPath = pathname.split('/')[3] ?? '';
  return (
    <ul className={classes.list}>
      {navigationOf(guild).map((page) => {
        const { path, label, Icon } = page;
        const address = guildPageAddress(guild.guildId, entryPath(page, openPath));
        return (
          <PageLink
            key={path}
            to={`${address}${rangePages.has(path) ? kept : ''}`}
            isExact={path === ''}
            icon={<Icon {...iconProps} />}
            onNavigate={onNavigate}
          >
            {label}
          </PageLink>
        );
      })}
    </ul>
  );
}

function PublicLinks({ isSignedIn, onNavigate }: { isSignedIn: boolean } & FollowProps) {
  return (
    <ul className={classes.list}>
      {isSignedIn && (
        <PageLink to="/" icon={<IconLayoutGrid {...iconProps} />} onNavigate={onNavigate} isExact>
          <Trans>Guilds</Trans>
        </PageLink>
      )}
      <PageLink to="/commands" icon={<IconTerminal2 {...iconProps} />} onNavigate={onNavigate}>
        <Trans>Commands</Trans>
      </PageLink>
      <li>
        <a href="/docs" className={classes.link}>
          <IconBook2 {...iconProps} />
          <Trans>API reference</Trans>
        </a>
      </li>
    </ul>
  );
}

interface FollowProps {
  onNavigate: (() => void) | undefined;
}

interface PageLinkProps extends FollowProps {
  to: string;
  icon: ReactNode;
  /** Set when the addresses below it belong to other pages. */
  isExact?: boolean;
  children: ReactNode;
}

function PageLink({ to, icon, onNavigate, isExact = false, children }: PageLinkProps) {
  const { pathname } = useLocation();
  const isOpen = isAt(pathname, to.replace(/[?#].*$/, ''), isExact);
  return (
    <li>
      <Link to={to} className={classes.link} aria-current={isOpen ? 'page' : undefined} onClick={onNavigate}>
        {icon}
        {children}
      </Link>
    </li>
  );
}
