import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation, useParams } from 'react-router';
import { NoPermission } from '../access/NoPermission.tsx';
import { useLiveGuild } from '../access/use-live-guild.ts';
import { type Guild, guildsQuery } from '../api/guilds.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { chooseMoneyDisplay } from '../components/money.ts';
import { PageSkeleton } from '../components/PageSkeleton.tsx';
import { chooseCalendar } from '../components/time-zone.ts';
import { guildPageAddress, ownAccountPath } from './guild-pages.ts';
import { rememberCalendar } from './known-calendars.ts';

/** The pages with live updates; the path of the overview is empty. */
const livePages = ['', 'ledger', 'people', 'discharges', 'transfers', 'records', 'verifications', 'audit'];

/** Renders the pages of a guild for people with a role in it, or with an account of their own. */
export function RequireGuild() {
  const { guildId } = useParams();
  const { pathname } = useLocation();
  const query = useQuery(guildsQuery);
  if (query.isPending) return <PageSkeleton label={t`Loading the guild`} />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title={t`Your guilds could not be loaded`}
        detail={query.error?.message ?? ''}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const guild = query.data.find((candidate) => candidate.guildId === guildId);
  if (!guild) return <NoPermission />;
  // A member without a role has one page.
  if (guild.role === null && pageOf(pathname) === '') {
    return <Navigate to={guildPageAddress(guild.guildId, ownAccountPath)} replace />;
  }
  if (guild.role === null && pageOf(pathname) !== ownAccountPath) return <NoPermission />;
  // Set before the pages are rendered. When it changes, they are rendered again, so that all amounts and days agree.
  chooseMoneyDisplay(guild.display);
  chooseCalendar(guild.timeZone);
  const { currencyName, currencySymbol, decimalsShown } = guild.display;
  // The settings have no amounts of the guild, and what is entered there has to stay.
  const shown = [currencyName, currencySymbol, decimalsShown, guild.timeZone].join(' ');
  const look = pageOf(pathname) === 'settings' ? '' : shown;
  return <OpenGuild key={`${guild.guildId} ${look}`} guild={guild} />;
}

function OpenGuild({ guild }: { guild: Guild }) {
  const { pathname } = useLocation();
  const { guildId, timeZone } = guild;
  useEffect(() => rememberCalendar(guildId, timeZone), [guildId, timeZone]);
  useLiveGuild(guildId, guild.state === 'unknown' ? undefined : watchedOn(pageOf(pathname)));
  return <Outlet context={guild} />;
}

function watchedOn(page: string): 'guild' | 'own' | undefined {
  if (page === ownAccountPath) return 'own';
  return livePages.includes(page) ? 'guild' : undefined;
}

/** The name of a guild's page in its path; '' for the overview. */
function pageOf(pathname: string): string {
  return pathname.split('/')[3] ?? '';
}
