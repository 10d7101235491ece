import { t } from '@lingui/core/macro';
import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Suspense } from 'react';
import { ownAvatarAddress } from '../api/avatars.ts';
import type { Guild } from '../api/guilds.ts';
import type { Session } from '../api/session.ts';
import { createLazy } from '../components/create-lazy.tsx';
import { NameMark } from '../components/NameMark.tsx';
import { useOpener } from '../components/use-opener.ts';
import classes from './UserMenu.module.css';

export const userMenuItems = createLazy(async () => (await import('./UserMenuItems.tsx')).UserMenuItems);

interface UserMenuProps {
  session: Session;
  /** The open guild: the person's account there, and the ids in the examples of the reference. */
  guild: Guild | undefined;
}

export function UserMenu({ session, guild }: UserMenuProps) {
  const { chatId, name, avatar } = session.user;
  const { control, opened } = useOpener('menu', userMenuItems.load);
  return (
    <>
      <UnstyledButton {...control} className={classes.target} aria-label={t`Account of ${name}`}>
        <NameMark id={chatId} name={name} isRound picture={ownAvatarAddress(avatar)} />
        <IconChevronDown size={15} stroke={1.7} className={classes.arrow} aria-hidden="true" />
      </UnstyledButton>
      {opened && (
        <Suspense>
          <userMenuItems.Content opened={opened} session={session} guild={guild} />
        </Suspense>
      )}
    </>
  );
}
