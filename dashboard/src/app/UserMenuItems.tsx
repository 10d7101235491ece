import { Trans } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBook2,
  IconClock,
  IconDevices,
  IconLanguage,
  IconLogout,
  IconTerminal2,
  IconUserCircle,
} from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Session } from '../api/session.ts';
import { docsAddress } from '../components/addresses.ts';
import { OpenerTarget, useMenuState } from '../components/OpenerTarget.tsx';
import { pageTimeZone } from '../components/time-zone.ts';
import type { Opened } from '../components/use-opener.ts';
import { languageName, offeredLanguages } from '../texts/languages.ts';
import { guildPageAddress, ownAccountPage, ownAccountPath } from './guild-pages.ts';
import classes from './UserMenu.module.css';
import { useSignOut } from './use-sign-out.ts';

const SignOutEverywhereDialog = lazy(async () => ({
  default: (await import('./SignOutEverywhereDialog.tsx')).SignOutEverywhereDialog,
}));

const TimeZoneDialog = lazy(async () => ({ default: (await import('./TimeZoneDialog.tsx')).TimeZoneDialog }));

const LanguageDialog = lazy(async () => ({ default: (await import('./LanguageDialog.tsx')).LanguageDialog }));

interface UserMenuItemsProps {
  opened: Opened;
  session: Session;
  guild: Guild | undefined;
}

/** The menu below the person's picture, with the dialogs that it opens. */
export function UserMenuItems({ opened, session, guild }: UserMenuItemsProps) {
  const { chatId, name } = session.user;
  const state = useMenuState(opened);
  const [isConfirming, confirmation] = useDisclosure(false);
  const [isChoosingZone, zoneDialog] = useDisclosure(false);
  const [isChoosingLanguage, languageDialog] = useDisclosure(false);
  const signOut = useSignOut(session);
  return (
    <>
      <Menu {...state} position="bottom-end" width={260} shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <OpenerTarget target={opened.target} />
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.person}>
            <p className={classes.name} dir="auto">
              {name}
            </p>
            <p className={classes.chatId}>
              <Trans>Chat account {chatId}</Trans>
            </p>
          </div>
          <Menu.Divider />
          {guild?.hasOwnAccount && (
            <Menu.Item
              component={Link}
              to={guildPageAddress(guild.guildId, ownAccountPath)}
              leftSection={<IconUserCircle size={17} stroke={1.7} />}
            >
              {ownAccountPage().label}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconClock size={17} stroke={1.7} />} onClick={zoneDialog.open}>
            <Trans>Time zone</Trans>
            <span className={classes.zone}>{pageTimeZone()}</span>
          </Menu.Item>
          {offeredLanguages.length > 1 && (
            <Menu.Item leftSection={<IconLanguage size={17} stroke={1.7} />} onClick={languageDialog.open}>
              <Trans>Language</Trans>
              <span className={classes.zone}>{languageName()}</span>
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item component={Link} to="/commands" leftSection={<IconTerminal2 size={17} stroke={1.7} />}>
            <Trans>Bot commands</Trans>
          </Menu.Item>
          <Menu.Item
            component="a"
            href={docsAddress(guild?.role ? guild.guildId : undefined)}
            leftSection={<IconBook2 size={17} stroke={1.7} />}
          >
            <Trans>API reference</Trans>
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={17} stroke={1.7} />}
            onClick={() => signOut.mutate({ isEverywhere: false })}
          >
            <Trans>Sign out</Trans>
          </Menu.Item>
          <Menu.Item leftSection={<IconDevices size={17} stroke={1.7} />} onClick={confirmation.open}>
            <Trans>Sign out everywhere</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isChoosingZone && (
        <Suspense>
          <TimeZoneDialog session={session} onClose={zoneDialog.close} />
        </Suspense>
      )}
      {isChoosingLanguage && (
        <Suspense>
          <LanguageDialog onClose={languageDialog.close} />
        </Suspense>
      )}
      {isConfirming && (
        <Suspense>
          <SignOutEverywhereDialog session={session} onClose={confirmation.close} />
        </Suspense>
      )}
    </>
  );
}
