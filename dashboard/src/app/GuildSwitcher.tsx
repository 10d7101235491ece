import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconLayoutGrid, IconSelector } from '@tabler/icons-react';
import { Link } from 'react-router';
import { stateTexts } from '../access/guild-texts.ts';
import { guildIconAddress } from '../api/avatars.ts';
import type { Guild } from '../api/guilds.ts';
import { NameMark } from '../components/NameMark.tsx';
import classes from './GuildSwitcher.module.css';

interface GuildSwitcherProps {
  guild: Guild | undefined;
  guilds: Guild[];
  /** Fills the width it is given, for the drawer. */
  isWide?: boolean;
  onNavigate?: () => void;
}

export function GuildSwitcher({ guild, guilds, isWide = false, onNavigate }: GuildSwitcherProps) {
  if (guilds.length === 0) return null;
  return (
    <Menu
      position="bottom-start"
      width={isWide ? 'target' : 288}
      shadow="md"
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton className={classes.target} data-wide={isWide || undefined}>
          {guild && (
            <NameMark id={guild.guildId} name={guild.name} size="sm" picture={guildIconAddress(guild)} />
          )}
          <span className={classes.name} dir="auto">
            {guild?.name ?? t`Choose a guild`}
          </span>
          <IconSelector size={16} stroke={1.7} className={classes.arrow} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown} aria-label={t`Guilds`}>
        {guilds.map((candidate) => (
          <Menu.Item
            key={candidate.guildId}
            component={Link}
            to={`/guilds/${candidate.guildId}`}
            onClick={onNavigate}
            leftSection={
              <NameMark
                id={candidate.guildId}
                name={candidate.name}
                size="sm"
                picture={guildIconAddress(candidate)}
              />
            }
            rightSection={
              candidate.guildId === guild?.guildId && <IconCheck size={16} aria-label={t`current`} />
            }
          >
            <span className={classes.itemName} dir="auto">
              {candidate.name}
            </span>
            {candidate.state !== 'ready' && (
              <span className={classes.itemState}>{stateTexts()[candidate.state].label}</span>
            )}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to="/"
          onClick={onNavigate}
          leftSection={<IconLayoutGrid size={18} stroke={1.7} className={classes.all} />}
        >
          <Trans>All guilds</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
