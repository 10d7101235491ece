import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Burger, Button, Kbd, Skeleton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLinkClickHandler, useLocation } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import { sessionQuery } from '../api/session.ts';
import { Hint } from '../components/Hint.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { PageSkeleton } from '../components/PageSkeleton.tsx';
import { useIsOffline } from '../components/use-is-offline.ts';
import { signInAddress } from '../sign-in/return-path.ts';
import { GuildSwitcher } from './GuildSwitcher.tsx';
import { NavigationLinks } from './NavigationLinks.tsx';
import classes from './Shell.module.css';
import { createTypeAhead } from './type-ahead.ts';
import { UserMenu } from './UserMenu.tsx';
import { useCurrentGuild } from './use-current-guild.ts';
import { shortcutsOf, useShortcuts } from './use-shortcuts.ts';

const NavigationDrawer = lazy(async () => ({
  default: (await import('./NavigationDrawer.tsx')).NavigationDrawer,
}));

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog,
}));

/** The frame around every page except the sign-in page. The public pages need no session. */
export function Shell() {
  const { data: session, isPending: isSessionPending } = useQuery(sessionQuery);
  const { guild, guilds, isLoading: areGuildsLoading } = useCurrentGuild(Boolean(session));
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const [wasDrawerOpened, setDrawerOpened] = useState(false);
  if (isDrawerOpen && !wasDrawerOpened) setDrawerOpened(true);
  const [paletteCalls, setPaletteCalls] = useState(0);
  const [typeAhead] = useState(() => createTypeAhead(window));
  const openPalette = () => {
    typeAhead.start();
    setPaletteCalls((count) => count + 1);
  };
  const [areShortcutsShown, shortcuts] = useDisclosure(false);
  useShortcuts({ guild, onSearch: openPalette, onHelp: shortcuts.open });
  useHotkeys([['mod+K', () => !isDialogOpen() && openPalette()]], []);
  const goHome = useLinkClickHandler<HTMLAnchorElement>('/');
  return (
    <>
      <PageHeader
        onBrandClick={goHome}
        account={<Account guild={guild} />}
        lead={
          <Burger
            className={classes.burger}
            size="sm"
            opened={isDrawerOpen}
            onClick={drawer.toggle}
            aria-label={t`Open the navigation`}
          />
        }
        context={
          <div className={classes.switcher}>{session && <GuildSwitcher guild={guild} guilds={guilds} />}</div>
        }
      >
        <PaletteButton onClick={openPalette} />
      </PageHeader>
      <div className={classes.frame}>
        <aside className={classes.side}>
          <NavigationLinks guild={guild} isSignedIn={Boolean(session)} />
        </aside>
        <Content />
      </div>
      {wasDrawerOpened && (
        <Suspense>
          <NavigationDrawer isOpen={isDrawerOpen} onClose={drawer.close}>
            {session && <GuildSwitcher guild={guild} guilds={guilds} isWide onNavigate={drawer.close} />}
            <NavigationLinks guild={guild} isSignedIn={Boolean(session)} onNavigate={drawer.close} />
          </NavigationDrawer>
        </Suspense>
      )}
      {areShortcutsShown && (
        <Suspense>
          <ShortcutsDialog shortcuts={shortcutsOf(guild)} onClose={shortcuts.close} />
        </Suspense>
      )}
      {paletteCalls > 0 && (
        <Suspense>
          <Palette
            calls={paletteCalls}
            typeAhead={typeAhead}
            session={session ?? null}
            guild={guild}
            guilds={guilds}
            isLoading={isSessionPending || areGuildsLoading}
          />
        </Suspense>
      )}
    </>
  );
}

// While a dialog is open the palette stays closed, because it could navigate away underneath the dialog.
function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}

function Content() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(pathname);
  useEffect(() => {
    // Moves the focus of keyboard and screen reader from the navigation to the new page.
    if (lastPath.current !== pathname) main.current?.focus({ preventScroll: true });
    lastPath.current = pathname;
  }, [pathname]);
  return (
    <main id="content" ref={main} tabIndex={-1} className={classes.main}>
      <div className={classes.page}>
        <OfflineBanner />
        <Suspense fallback={<PageSkeleton label={t`Loading the page`} />}>
          <Outlet />
        </Suspense>
      </div>
    </main>
  );
}

function OfflineBanner() {
  if (!useIsOffline()) return null;
  return (
    <div className={classes.offline}>
      <Notice tone="warning" title={t`You are offline`} isAnnounced>
        <Trans>
          The pages show what was loaded before. They go on by themselves when the connection is back.
        </Trans>
      </Notice>
    </div>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

function PaletteButton({ onClick }: { onClick: () => void }) {
  const label = t`Search people, records, transactions, pages and commands`;
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        className={classes.palette}
        leftSection={<IconSearch size={15} stroke={1.8} />}
        rightSection={<Kbd size="xs">{isApple ? '⌘ K' : t`Ctrl K`}</Kbd>}
        aria-label={label}
        onClick={onClick}
      >
        <Trans>Search</Trans>
      </Button>
      <Hint label={label}>
        {(target) => (
          <ActionIcon
            {...target}
            variant="subtle"
            color="gray"
            size="lg"
            className={classes.paletteIcon}
            aria-label={label}
            onClick={onClick}
          >
            <IconSearch size={18} stroke={1.7} />
          </ActionIcon>
        )}
      </Hint>
    </>
  );
}

function Account({ guild }: { guild: Guild | undefined }) {
  const query = useQuery(sessionQuery);
  const location = useLocation();
  if (query.isPending) return <Skeleton circle height={32} />;
  if (query.data) return <UserMenu session={query.data} guild={guild} />;
  return (
    <Button component={Link} to={signInAddress(location)} size="xs">
      <Trans>Sign in</Trans>
    </Button>
  );
}
