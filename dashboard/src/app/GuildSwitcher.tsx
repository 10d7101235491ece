import { t } from '@lingui/core/macro';
import { UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { Suspense } from 'react';
import { guildIconAddress } from '../api/avatars.ts';
import type { Guild } from '../api/guilds.ts';
import { createLazy } from '../components/create-lazy.tsx';
import { NameMark } from '../components/NameMark.tsx';
import { useOpener } from '../components/use-opener.ts';
import classes from './GuildSwitcher.module.css';

export const guildSwitcherItems = createLazy(
  async () => (await import('./GuildSwitcherItems.tsx')).GuildSwitcherItems,
);

interface GuildSwitcherProps {
  guild: Guild | undefined;
  guilds: Guild[];
  /** Fills the width it is given, for the drawer. */
  isWide?: boolean;
  onNavigate?: () => void;
}

export function GuildSwitcher({ guild, guilds, isWide = false, onNavigate }: GuildSwitcherProps) {
  const { control, opened } = useOpener('menu', guildSwitcherItems.load);
  if (guilds.length === 0) return null;
  return (
    <>
      <UnstyledButton {...control} className={classes.target} data-wide={isWide || undefined}>
        {guild && (
          <NameMark id={guild.guildId} name={guild.name} size="sm" picture={guildIconAddress(guild)} />
        )}
        <span className={classes.name} dir="auto">
          {guild?.name ?? t`Choose a guild`}
        </span>
        <IconSelector size={16} stroke={1.7} className={classes.arrow} aria-hidden="true" />
      </UnstyledButton>
      {opened && (
        <Suspense>
          <guildSwitcherItems.Content
            opened={opened}
            guild={guild}
            guilds={guilds}
            isWide={isWide}
            onNavigate={onNavigate}
          />
        </Suspense>
      )}
    </>
  );
}
