import { t } from '@lingui/core/macro';
import '@mantine/spotlight/styles.layer.css';
import { Loader, ScrollArea, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
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
import { type RefObject, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { guildIconAddress } from '../api/avatars.ts';
import { catalogueQuery } from '../api/commands.ts';
import type { Guild } from '../api/guilds.ts';
import type { Session } from '../api/session.ts';
import { commandAddress } from '../commands/catalogue.ts';
import { docsAddress, overviewAddress } from '../components/addresses.ts';
import { NameMark } from '../components/NameMark.tsx';
import { useResultKeys } from '../components/use-result-keys.ts';
import { signInAddress } from '../sign-in/return-path.ts';
import { guildPageAddress, openPages } from './guild-pages.ts';
import classes from './Palette.module.css';
import { findEntries, type PaletteEntry, type PaletteGroup } from './palette-entries.ts';
import type { TypeAhead } from './type-ahead.ts';
import { useFoundEntries } from './use-found-entries.tsx';
import { useSignOut } from './use-sign-out.ts';

interface PaletteContext {
  session: Session | null;
  guild: Guild | undefined;
  guilds: Guild[];
  /** The session or the guilds are still loading. */
  isLoading: boolean;
  /** Has the keys that were typed before the field got the focus. */
  typeAhead: TypeAhead;
}

interface PaletteProps extends PaletteContext {
  /** A counter; the palette opens each time it grows. */
  calls: number;
}

/** The entries of the palette for a text. */
interface Offer {
  groups: PaletteGroup[];
  /** The first entry that certainly stays the first; null while results may still come above it. */
  firstId: string | null;
  isWaiting: boolean;
  isFailed: boolean;
}

const label = () => t`Search people, records, transactions, pages and commands`;
const iconProps = { size: 19, stroke: 1.7 } as const;
const [store, palette] = createSpotlight();

/** Finds every page, guild, person, record and command, and runs the actions of the menus. */
export function Palette({ calls, ...context }: PaletteProps) {
  useEffect(() => {
    if (calls > 0) palette.open();
  }, [calls]);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      title={t`Command palette`}
      classNames={{
        header: classes.header ?? '',
        content: classes.dialog ?? '',
        body: classes.inside ?? '',
      }}
    >
      <Search {...context} />
    </Spotlight.Root>
  );
}

/** Keeps the selection itself, because Mantine loses it when results arrive late. */
function Search(context: PaletteContext) {
  const { query: text, opened: isOpen } = useSpotlight(store);
  const offer = useOffer(context, text);
  const entries = offer.groups.flatMap((group) => group.entries);
  const { selectedId, selectedRef, onKeyDown } = useResultKeys<HTMLButtonElement>({
    text,
    ids: entries.map(({ id }) => id),
    firstId: offer.firstId,
    isWaiting: offer.isWaiting,
    isOpen,
    onOpen: (id) => {
      palette.close();
      entries.find((entry) => entry.id === id)?.onOpen();
    },
  });
  return (
    <>
      <Spotlight.Search
        leftSection={<IconSearch {...iconProps} />}
        rightSection={offer.isWaiting && text !== '' ? <Loader size={16} aria-hidden /> : null}
        classNames={{ input: classes.search ?? '' }}
        placeholder={label()}
        aria-label={label()}
        onKeyDown={onKeyDown}
        onFocus={() => {
          const typed = context.typeAhead.take();
          if (typed !== '') store.setState((state) => ({ ...state, query: state.query + typed }));
        }}
      />
      {entries.length > 0 ? (
        <EntryList groups={offer.groups} selectedId={selectedId} selectedRef={selectedRef} />
      ) : (
        <Empty {...offer} />
      )}
    </>
  );
}

interface EntryListProps {
  groups: PaletteGroup[];
  selectedId: string | null;
  selectedRef: RefObject<HTMLButtonElement | null>;
}

function EntryList({ groups, selectedId, selectedRef }: EntryListProps) {
  return (
    <ScrollArea
      type="scroll"
      scrollbarSize={4}
      className={classes.list ?? ''}
      classNames={{ viewport: classes.results ?? '', content: classes.content ?? '' }}
      viewportProps={{ tabIndex: 0 }}
    >
      {groups.map(({ name, entries }) => (
        <Spotlight.ActionsGroup key={name} label={name}>
          {entries.map(({ id, label, description, leftSection, onOpen }) => (
            <Spotlight.Action
              key={id}
              ref={id === selectedId ? selectedRef : null}
              label={label}
              description={description ?? ''}
              leftSection={leftSection}
              highlightQuery
              className={classes.entry ?? ''}
              classNames={{ actionBody: classes.body ?? '' }}
              data-selected={id === selectedId || undefined}
              onClick={onOpen}
            />
          ))}
        </Spotlight.ActionsGroup>
      ))}
    </ScrollArea>
  );
}

function Empty({ isWaiting, isFailed }: Offer) {
  const failure = t`Not everything could be searched. Check your connection and try again.`;
  const nothing = isFailed ? failure : t`Nothing matches`;
  return <Spotlight.Empty role="status">{isWaiting ? t`Searching …` : nothing}</Spotlight.Empty>;
}

function useOffer(
  { session, guild, guilds, isLoading }: Omit<PaletteContext, 'typeAhead'>,
  text: string,
): Offer {
  const found = useFoundEntries(guild, text);
  const commands = useCommandEntries();
  const pages = t`Pages`;
  const groups = [
    { name: pages, entries: usePageEntries(session, guild) },
    ...found.groups,
    { name: t`Guilds`, entries: useGuildEntries(guilds) },
    { name: t`Actions`, entries: [...useActionEntries(guild), ...useAccountEntries(session)] },
    { name: t`Commands`, entries: commands.entries },
  ];
  const offered = findEntries(groups, text);
  // The people and records of an earlier text may still be replaced. Those of this text will be listed above everything but the pages.
  const isFirstOpen = found.isWaiting && offered[0]?.name !== pages;
  const outdated = new Set(found.isAnswered ? [] : found.groups.flatMap(({ entries }) => entries));
  const certain = offered.flatMap(({ entries }) => entries).find((entry) => !outdated.has(entry));
  return {
    groups: offered,
    firstId: isFirstOpen ? null : (certain?.id ?? null),
    isWaiting: isLoading || found.isWaiting || commands.isWaiting,
    isFailed: found.isFailed || commands.isFailed,
  };
}

function usePageEntries(session: Session | null, guild: Guild | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  const guilds = {
    id: 'guilds',
    label: t`Guilds`,
    leftSection: <IconLayoutGrid {...iconProps} />,
    onOpen: () => navigate('/'),
  };
  const pages = (guild ? openPages(guild) : []).map(({ path, label, Icon, keywords }) => ({
    id: `page-${path}`,
    label,
    description: guild?.name ?? '',
    keywords: [...keywords],
    leftSection: <Icon {...iconProps} />,
    onOpen: () => navigate(guildPageAddress(guild?.guildId ?? '', path)),
  }));
  return [
    ...(session ? [guilds] : []),
    ...pages,
    {
      id: 'commands',
      label: t`Commands`,
      leftSection: <IconTerminal2 {...iconProps} />,
      onOpen: () => navigate('/commands'),
    },
    {
      id: 'docs',
      label: t`API reference`,
      leftSection: <IconBook2 {...iconProps} />,
      keywords: ['api', 'snippets', 'client'],
      onOpen: () => window.location.assign(docsAddress(guild?.guildId)),
    },
  ];
}

function useGuildEntries(guilds: Guild[]): PaletteEntry[] {
  const navigate = useNavigate();
  return guilds.map(({ guildId, name, icon, role }) => ({
    id: `guild-${guildId}`,
    label: name,
    keywords: ['guild', guildId],
    leftSection: (
      <NameMark id={guildId} name={name} size="sm" picture={guildIconAddress({ guildId, icon, role })} />
    ),
    onOpen: () => navigate(overviewAddress(guildId)),
  }));
}

function useActionEntries(guild: Guild | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const current = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const next = current === 'dark' ? 'light' : 'dark';
  const createKey = guild && {
    id: 'create-key',
    label: t`Create key`,
    description: guild.name,
    leftSection: <IconPlus {...iconProps} />,
    onOpen: () => navigate(`/guilds/${guild.guildId}/keys`, { state: { isCreating: true } }),
  };
  const scheme = {
    id: 'scheme',
    label: next === 'dark' ? t`Use the dark colour scheme` : t`Use the light colour scheme`,
    keywords: ['dark', 'light', 'theme'],
    leftSection: <IconSunMoon {...iconProps} />,
    onOpen: () => setColorScheme(next),
  };
  return [...(createKey ? [createKey] : []), scheme];
}

function useAccountEntries(session: Session | null): PaletteEntry[] {
  const navigate = useNavigate();
  const location = useLocation();
  const signOut = useSignOut(session);
  if (!session) {
    return [
      {
        id: 'sign-in',
        label: t`Sign in`,
        leftSection: <IconLogin2 {...iconProps} />,
        onOpen: () => navigate(signInAddress(location)),
      },
    ];
  }
  return [
    {
      id: 'sign-out',
      label: t`Sign out`,
      leftSection: <IconLogout {...iconProps} />,
      onOpen: () => signOut.mutate({ isEverywhere: false }),
    },
  ];
}

function useCommandEntries() {
  const navigate = useNavigate();
  const { data: catalogue, isPending, isError } = useQuery(catalogueQuery);
  const commands = catalogue === undefined || catalogue.isLocked ? [] : catalogue.commands;
  const entries: PaletteEntry[] = commands.map(({ category, name, description }) => ({
    id: `command-${category}-${name}`,
    label: name,
    description,
    keywords: [category, 'command'],
    leftSection: <IconTerminal2 {...iconProps} />,
    onOpen: () => navigate(commandAddress(name)),
  }));
  return { entries, isWaiting: isPending, isFailed: isError };
}
