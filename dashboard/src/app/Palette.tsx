import '@mantine/spotlight/styles.layer.css';
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  spotlight,
} from '@mantine/spotlight';
import {
  IconBook2,
  IconLayoutGrid,
  IconLogin2,
  IconLogout,
  IconPlus,
  IconSearch,
  IconSunMoon,
  IconTerminal2,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { catalogueQuery } from '../api/commands.ts';
import type { Guild } from '../api/guilds.ts';
import { playersQuery } from '../api/players.ts';
import type { Session } from '../api/session.ts';
import { commandAddress } from '../commands/catalogue.ts';
import { formatMoney } from '../components/money.ts';
import { NameMark } from '../components/NameMark.tsx';
import { overviewAddress, playerAddress } from '../ledger/addresses.ts';
import { signInAddress } from '../sign-in/return-path.ts';
import { guildPageAddress, guildPages } from './guild-pages.ts';
import classes from './Palette.module.css';
import { useSignOut } from './use-sign-out.ts';

interface PaletteProps {
  /** How often the palette was asked for; it opens each time this grows. */
  calls: number;
  session: Session | null;
  guild: Guild | undefined;
  guilds: Guild[];
}

const shownMax = 30;
const pauseMs = 200;
const label = 'Search pages, guilds, players and commands';
const iconProps = { size: 19, stroke: 1.7 } as const;

/** Leads to every page, guild, player and command, and does what the menus do. */
export function Palette({ calls, session, guild, guilds }: PaletteProps) {
  useEffect(() => {
    if (calls > 0) spotlight.open();
  }, [calls]);
  const [search, setSearch] = useState('');
  const pages = usePages(session, guild);
  const actions = useActions(guild);
  const account = useAccountActions(session);
  const groups: SpotlightActionGroupData[] = [
    { group: 'Pages', actions: pages },
    { group: 'Players', actions: usePlayerActions(guild, search) },
    { group: 'Guilds', actions: useGuildActions(guilds) },
    { group: 'Actions', actions: [...actions, ...account] },
    { group: 'Commands', actions: useCommandActions() },
  ];
  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      query={search}
      onQueryChange={setSearch}
      shortcut={null}
      limit={shownMax}
      nothingFound="Nothing matches"
      highlightQuery
      scrollable
      title="Command palette"
      classNames={{ header: classes.header ?? '' }}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      maxHeight="min(28rem, 70dvh)"
      searchProps={{
        leftSection: <IconSearch {...iconProps} />,
        placeholder: label,
        'aria-label': label,
      }}
    />
  );
}

function usePages(session: Session | null, guild: Guild | undefined): SpotlightActionData[] {
  const navigate = useNavigate();
  const guilds = {
    id: 'guilds',
    label: 'Guilds',
    leftSection: <IconLayoutGrid {...iconProps} />,
    onClick: () => navigate('/'),
  };
  const rooms = guildPages.map(({ path, label, Icon, keywords }) => ({
    id: `page-${path}`,
    label,
    description: guild?.name ?? '',
    keywords: [...keywords],
    leftSection: <Icon {...iconProps} />,
    onClick: () => navigate(guildPageAddress(guild?.guildId ?? '', path)),
  }));
  return [
    ...(session ? [guilds] : []),
    ...(guild ? rooms : []),
    {
      id: 'commands',
      label: 'Commands',
      leftSection: <IconTerminal2 {...iconProps} />,
      onClick: () => navigate('/commands'),
    },
    {
      id: 'docs',
      label: 'API reference',
      leftSection: <IconBook2 {...iconProps} />,
      onClick: () => window.location.assign('/docs'),
    },
  ];
}

function useGuildActions(guilds: Guild[]): SpotlightActionData[] {
  const navigate = useNavigate();
  return guilds.map(({ guildId, name }) => ({
    id: `guild-${guildId}`,
    label: name,
    keywords: ['guild', guildId],
    leftSection: <NameMark id={guildId} name={name} size="sm" />,
    onClick: () => navigate(overviewAddress(guildId)),
  }));
}

/** Players of the present guild whose id or verified name begins with what was typed. */
function usePlayerActions(guild: Guild | undefined, search: string): SpotlightActionData[] {
  const navigate = useNavigate();
  const [settled] = useDebouncedValue(search.trim(), pauseMs);
  const guildId = guild?.guildId ?? '';
  const isWanted = settled !== '' && guild !== undefined && guild.state !== 'unknown';
  const { data: players } = useQuery({ ...playersQuery(guildId, settled), enabled: isWanted });
  if (!isWanted || !players) return [];
  return players.map(({ playerId, username, balance }) => ({
    id: `player-${playerId}`,
    label: username ?? playerId,
    description: `${username === null ? 'Player' : `Player ${playerId}`}, balance ${formatMoney(balance)}`,
    keywords: ['player', playerId],
    leftSection: <NameMark id={playerId} name={username ?? playerId} size="sm" isRound />,
    onClick: () => navigate(playerAddress(guildId, playerId)),
  }));
}

function useActions(guild: Guild | undefined): SpotlightActionData[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const current = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const next = current === 'dark' ? 'light' : 'dark';
  const createKey = guild && {
    id: 'create-key',
    label: 'Create a key',
    description: guild.name,
    leftSection: <IconPlus {...iconProps} />,
    onClick: () => navigate(`/guilds/${guild.guildId}/keys`, { state: { isCreating: true } }),
  };
  const scheme = {
    id: 'scheme',
    label: `Use the ${next} colour scheme`,
    keywords: ['dark', 'light', 'theme'],
    leftSection: <IconSunMoon {...iconProps} />,
    onClick: () => setColorScheme(next),
  };
  return [...(createKey ? [createKey] : []), scheme];
}

function useAccountActions(session: Session | null): SpotlightActionData[] {
  const navigate = useNavigate();
  const location = useLocation();
  const signOut = useSignOut(session);
  if (!session) {
    return [
      {
        id: 'sign-in',
        label: 'Sign in',
        leftSection: <IconLogin2 {...iconProps} />,
        onClick: () => navigate(signInAddress(location)),
      },
    ];
  }
  return [
    {
      id: 'sign-out',
      label: 'Sign out',
      leftSection: <IconLogout {...iconProps} />,
      onClick: () => signOut.mutate({ isEverywhere: false }),
    },
  ];
}

function useCommandActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const { data: catalogue } = useQuery(catalogueQuery);
  if (!catalogue || catalogue.isLocked) return [];
  return catalogue.commands.map(({ category, name, description }) => ({
    id: `command-${category}-${name}`,
    label: name,
    description,
    keywords: [category, 'command'],
    leftSection: <IconTerminal2 {...iconProps} />,
    onClick: () => navigate(commandAddress(name)),
  }));
}
