import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBook2,
  IconChevronDown,
  IconClock,
  IconDevices,
  IconLanguage,
  IconLogout,
  IconTerminal2,
  IconUserCircle,
} from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { ownAvatarAddress } from '../api/avatars.ts';
import type { Guild } from '../api/guilds.ts';
import type { Session } from '../api/session.ts';
import { docsAddress } from '../components/addresses.ts';
import { NameMark } from '../components/NameMark.tsx';
import { pageTimeZone } from '../components/time-zone.ts';
import { languageName, offeredLanguages } from '../texts/languages.ts';
import { guildPageAddress, ownAccountPage, ownAccountPath } from './guild-pages.ts';
import classes from './UserMenu.module.css';
import { useSignOut } from './use-sign-out.ts';

const SignOutEverywhereDialog = lazy(async () => ({
  default: (await import('./SignOutEverywhereDialog.tsx')).SignOutEverywhereDialog,
}));

const TimeZoneDialog = lazy(async () => ({ default: (await import('./TimeZoneDialog.tsx')).TimeZoneDialog }));

const LanguageDialog = lazy(async () => ({ default: (await import('./LanguageDialog.tsx')).LanguageDialog }));

interface UserMenuProps {
  session: Session;
  /** The open guild: the person's account there, and the ids in the examples of the reference. */
  guild: Guild | undefined;
}

export function UserMenu({ session, guild }: UserMenuProps) {
  const { chatId, name, avatar } = session.user;
  const [isConfirming, confirmation] = useDisclosure(false);
  const [isChoosingZone, zoneDialog] = useDisclosure(false);
  const [isChoosingLanguage, languageDialog] = useDisclosure(false);
  const signOut = useSignOut(session);
  return (
    <>
      <Menu position="bottom-end" width={260} shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton className={classes.target} aria-label={t`Account of ${name}`}>
            <NameMark id={chatId} name={name} isRound picture={ownAvatarAddress(avatar)} />
            <IconChevronDown size={15} stroke={1.7} className={classes.arrow} aria-hidden="true" />
          </UnstyledButton>
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
