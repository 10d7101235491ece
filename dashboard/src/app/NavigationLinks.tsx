import { IconBook2, IconLayoutGrid, IconTerminal2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NavLink, useLocation } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import { keptRange } from '../components/date-range.ts';
import { guildPageAddress, openPages } from './guild-pages.ts';
import classes from './NavigationLinks.module.css';

interface NavigationLinksProps {
  guild: Guild | undefined;
  isSignedIn: boolean;
  /** Called when a link was followed, so that a drawer can close. */
  onNavigate?: () => void;
}

/** The pages that share the range of time. */
const rangePages: ReadonlySet<string> = new Set(['', 'ledger', 'audit']);

const iconProps = { size: 18, stroke: 1.7, 'aria-hidden': true } as const;

export function NavigationLinks({ guild, isSignedIn, onNavigate }: NavigationLinksProps) {
  const kept = keptRange(useLocation().search);
  return (
    <nav aria-label="Main" className={classes.navigation}>
      {isSignedIn && (
        <ul className={classes.list}>
          <PageLink to="/" icon={<IconLayoutGrid {...iconProps} />} onNavigate={onNavigate} isExact>
            Guilds
          </PageLink>
        </ul>
      )}
      {guild && (
        <>
          <p className={classes.group} dir="auto">
            {guild.name}
          </p>
          <ul className={classes.list}>
            {openPages(guild).map(({ path, label, Icon }) => (
              <PageLink
                key={path}
                to={`${guildPageAddress(guild.guildId, path)}${rangePages.has(path) ? kept : ''}`}
                isExact={path === ''}
                icon={<Icon {...iconProps} />}
                onNavigate={onNavigate}
              >
                {label}
              </PageLink>
            ))}
          </ul>
        </>
      )}
      <p className={classes.group}>Reference</p>
      <ul className={classes.list}>
        <PageLink to="/commands" icon={<IconTerminal2 {...iconProps} />} onNavigate={onNavigate}>
          Commands
        </PageLink>
        <li>
          <a href="/docs" className={classes.link}>
            <IconBook2 {...iconProps} />
            API reference
          </a>
        </li>
      </ul>
    </nav>
  );
}

interface PageLinkProps {
  to: string;
  icon: ReactNode;
  onNavigate: (() => void) | undefined;
  /** Set when the addresses below it belong to other pages. */
  isExact?: boolean;
  children: ReactNode;
}

function PageLink({ to, icon, onNavigate, isExact = false, children }: PageLinkProps) {
  return (
    <li>
      <NavLink to={to} end={isExact} className={classes.link ?? ''} onClick={onNavigate}>
        {icon}
        {children}
      </NavLink>
    </li>
  );
}
