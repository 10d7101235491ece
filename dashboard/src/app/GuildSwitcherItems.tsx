import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconCheck, IconLayoutGrid } from '@tabler/icons-react';
import { Link } from 'react-router';
import { stateTexts } from '../access/guild-texts.ts';
import { guildIconAddress } from '../api/avatars.ts';
import type { Guild } from '../api/guilds.ts';
import { NameMark } from '../components/NameMark.tsx';
import { OpenerTarget, useMenuState } from '../components/OpenerTarget.tsx';
import type { Opened } from '../components/use-opener.ts';
import classes from './GuildSwitcher.module.css';

interface GuildSwitcherItemsProps {
  opened: Opened;
  guild: Guild | undefined;
  guilds: Guild[];
  isWide: boolean;
  onNavigate: (() => void) | undefined;
}

/** The menu of the guilds. */
export function GuildSwitcherItems(props: GuildSwitcherItemsProps) {
  const { opened, guild, guilds, isWide, onNavigate } = props;
  const state = useMenuState(opened);
  return (
    <Menu
      {...state}
      position="bottom-start"
      width={isWide ? 'target' : 288}
      shadow="md"
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <OpenerTarget target={opened.target} />
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
