import { t } from '@lingui/core/macro';
import { IconArrowsExchange, IconCoins, IconDoorExit, IconKey } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { may } from '../access/guild-texts.ts';
import { PersonMark } from '../access/PersonMark.tsx';
import { useGuildSearch } from '../access/use-guild-search.ts';
import type { Guild } from '../api/guilds.ts';
import type { SearchResult } from '../api/search.ts';
import { overviewAddress, personAddress } from '../components/addresses.ts';
import { formatMoney, formatSigned, isolated } from '../components/money.ts';
import { shortMoment } from '../components/time.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entries.ts';

const iconProps = { size: 19, stroke: 1.7 } as const;
const nothing: SearchResult = {
  members: [],
  stranger: null,
  discharges: [],
  transfers: [],
  transactions: [],
  keys: [],
};

interface FoundEntries {
  groups: PaletteGroup[];
  isAnswered: boolean;
  isWaiting: boolean;
  isFailed: boolean;
}

/** The people, records, transactions and keys of the present guild that match a text, in groups. */
export function useFoundEntries(guild: Guild | undefined, text: string): FoundEntries {
  const navigate = useNavigate();
  const guildId = guild?.guildId ?? '';
  const isOpen = guild !== undefined && guild.state !== 'unknown' && may(guild, 'people.read');
  const isWanted = text.trim() !== '' && isOpen;
  const { result, ...progress } = useGuildSearch(guildId, text, isWanted);
  const open = (path: string) => () => navigate(`${overviewAddress(guildId)}/${path}`);
  const { members, discharges, transfers, transactions, keys } = result ?? nothing;
  const people: PaletteEntry[] = members.map(({ playerId, chatId, name, balance }) => ({
    id: `player-${playerId}`,
    label: name ?? playerId,
    description:
      name === null
        ? t`Player, balance ${formatMoney(balance)}`
        : t`Player ${playerId}, balance ${formatMoney(balance)}`,
    leftSection: (
      <PersonMark
        guildId={guildId}
        playerId={playerId}
        name={name ?? playerId}
        isVerified={chatId !== null}
      />
    ),
    onOpen: () => navigate(personAddress(guildId, playerId)),
  }));
  const groups: PaletteGroup[] = [
    { name: t`People`, entries: people },
    { name: t`Discharges`, entries: recordEntries('discharges', discharges, open) },
    { name: t`Transfers`, entries: recordEntries('transfers', transfers, open) },
    {
      name: t`Transactions`,
      entries: transactions.map(({ transactionId, playerId, name, total, createdAt }) => ({
        id: `transaction-${transactionId}`,
        label: `${isolated(name)}, ${formatSigned(total)}`,
        description: `${transactionId}, ${shortMoment(Date.parse(createdAt))}`,
        leftSection: <IconCoins {...iconProps} />,
        onOpen: open(`people/${encodeURIComponent(playerId)}?record=${encodeURIComponent(transactionId)}`),
      })),
    },
    {
      name: t`Keys`,
      entries: keys.map(({ id, name }) => ({
        id: `key-${id}`,
        label: name,
        description: t`API key`,
        leftSection: <IconKey {...iconProps} />,
        onOpen: open('keys'),
      })),
    },
  ];
  return { groups: groups.map((group) => ({ ...group, isChosen: true })), ...progress };
}

function recordEntries(
  path: 'discharges' | 'transfers',
  records: readonly { id: string; name: string; playerId: string }[],
  open: (path: string) => () => void,
): PaletteEntry[] {
  const Icon = path === 'discharges' ? IconDoorExit : IconArrowsExchange;
  return records.map(({ id, name, playerId }) => ({
    id: `${path}-${id}`,
    label: name,
    description: t`${id}, player ${playerId}`,
    leftSection: <Icon {...iconProps} />,
    onOpen: open(`${path}?record=${encodeURIComponent(id)}`),
  }));
}
