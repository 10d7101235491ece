import { Skeleton } from '@mantine/core';
import { IconChevronLeft, IconCoins } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import { NewTransactionButton } from '../acting/NewTransactionButton.tsx';
import type { Guild } from '../api/guilds.ts';
import { type PlayerDetails, playerQuery } from '../api/players.ts';
import { ledgerAddress } from '../components/addresses.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import { keptRange } from '../components/date-range.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { FiguresSkeleton, TableSkeleton } from '../components/PageSkeleton.tsx';
import classes from './Ledger.module.css';
import { lastLedger } from './ledger-filters.ts';
import { PlayerAccount } from './PlayerAccount.tsx';
import { PlayerTransactions } from './PlayerTransactions.tsx';

/** The ledger of one player. */
export function PlayerPage() {
  const guild = useGuild();
  const { playerId = '' } = useParams();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title="Ledger" />;
  // The key resets all state for another player, so that nothing typed or opened for one stays for the next.
  return <PlayerLedger key={playerId} guild={guild} playerId={playerId} />;
}

function PlayerLedger({ guild, playerId }: { guild: Guild; playerId: string }) {
  const query = useQuery(playerQuery(guild.guildId, playerId));
  const { search } = useLocation();
  return (
    <>
      <Link
        to={`${ledgerAddress(guild.guildId)}${lastLedger(guild.guildId) || keptRange(search)}`}
        className={classes.back ?? ''}
      >
        <IconChevronLeft size={15} stroke={1.8} aria-hidden="true" />
        Ledger
      </Link>
      <Loaded
        query={query}
        skeleton={<PlayerSkeleton playerId={playerId} />}
        failure="The player could not be loaded"
      >
        {(player) => (
          <>
            <PlayerHeading
              player={player}
              action={<NewTransactionButton guild={guild} playerId={playerId} />}
            />
            {player.transactions === 0 ? (
              <NoAccount guild={guild} player={player} />
            ) : (
              <>
                <PlayerAccount guild={guild} player={player} />
                <PlayerTransactions guild={guild} player={player} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function PlayerHeading({ player, action }: { player: PlayerDetails; action: ReactNode }) {
  return (
    <PageHeading title={player.username ?? player.playerId} action={action}>
      <div className={classes.ids}>
        <span className={classes.id}>
          {player.username === null ? 'Not verified. Player id' : 'Player id'}
          <code>{player.playerId}</code>
          <CopyAction value={player.playerId} label="Copy the player id" />
        </span>
        {player.chatId !== null && (
          <span className={classes.id}>
            Chat account <code>{player.chatId}</code>
            <CopyAction value={player.chatId} label="Copy the chat account" />
          </span>
        )}
      </div>
    </PageHeading>
  );
}

function NoAccount({ guild, player }: { guild: Guild; player: PlayerDetails }) {
  return (
    <EmptyState icon={<IconCoins size={28} stroke={1.6} />} title="No account yet">
      <p>
        Nobody has an account in <bdi>{guild.name}</bdi> under the player id <code>{player.playerId}</code>.
        Check the id, or look the person up by name. An account opens with the first transaction that a bot or
        a game server posts; to post it here, confirm the id.
      </p>
    </EmptyState>
  );
}

function PlayerSkeleton({ playerId }: { playerId: string }) {
  return (
    <>
      <PageHeading title={playerId} />
      <Skeleton height={36} width="11rem" mb="md" />
      <FiguresSkeleton count={5} />
      <Skeleton height={272} mt="xl" mb="xl" />
      <TableSkeleton rows={6} />
    </>
  );
}
