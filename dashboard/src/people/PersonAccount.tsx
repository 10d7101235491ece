import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconCoins, IconFileText } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { NewTransactionButton } from '../acting/NewTransactionButton.tsx';
import type { Guild } from '../api/guilds.ts';
import type { PlayerDetails } from '../api/players.ts';
import { AfterPaint } from '../components/AfterPaint.tsx';
import { createLazy } from '../components/create-lazy.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { TableSkeleton } from '../components/PageSkeleton.tsx';
import { PlayerAccount } from '../ledger/PlayerAccount.tsx';
import { BalanceOnDate } from './BalanceOnDate.tsx';
import classes from './Person.module.css';
import { viewSearch } from './person-tabs.ts';

// Below the first screen, and with its filters and details half of the page's code.
const transactions = createLazy(
  async () => (await import('../ledger/PlayerTransactions.tsx')).PlayerTransactions,
);

interface PersonAccountProps {
  guild: Guild;
  player: PlayerDetails;
  /** The guild has neither an account nor a record of the player. */
  isUnknown: boolean;
}

/** The money of a person: balance, chart, sums and transactions. */
export function PersonAccount({ guild, player, isUnknown }: PersonAccountProps) {
  const { search } = useLocation();
  const { playerId } = player;
  if (player.transactions === 0) {
    return player.isOwn ? (
      <NothingYet guild={guild} />
    ) : (
      <NoAccount guild={guild} player={player} isUnknown={isUnknown} />
    );
  }
  return (
    <>
      <div className={classes.actions}>
        <BalanceOnDate guildId={guild.guildId} account={player} />
        <Group gap="xs">
          <Button
            component={Link}
            to={{ search: viewSearch(search, 'statement') }}
            variant="default"
            leftSection={<IconFileText size={17} stroke={1.7} />}
          >
            <Trans>Statement</Trans>
          </Button>
          {!player.isOwn && <NewTransactionButton guild={guild} playerId={playerId} />}
        </Group>
      </div>
      <PlayerAccount guild={guild} player={player} />
      <AfterPaint>
        <Suspense fallback={<TableSkeleton rows={6} />}>
          <transactions.Content guild={guild} player={player} />
        </Suspense>
      </AfterPaint>
    </>
  );
}

function NothingYet({ guild }: { guild: Guild }) {
  return (
    <EmptyState icon={<IconCoins size={28} stroke={1.6} />} title={t`No transactions yet`}>
      <p>
        <Trans>
          Your account in <bdi>{guild.name}</bdi> opens with the first transaction that a bot, a game server
          or a treasurer posts to it. It will show here by itself.
        </Trans>
      </p>
    </EmptyState>
  );
}

function NoAccount({ guild, player, isUnknown }: PersonAccountProps) {
  return (
    <EmptyState icon={<IconCoins size={28} stroke={1.6} />} title={t`No account yet`}>
      <p>
        {isUnknown ? (
          <Trans>
            <bdi>{guild.name}</bdi> has neither an account nor a record under the player id{' '}
            <code>{player.playerId}</code>. Check the id, or look the person up by name.
          </Trans>
        ) : (
          <Trans>
            This person has records in <bdi>{guild.name}</bdi>, but no account.
          </Trans>
        )}{' '}
        <Trans>
          An account opens with the first transaction that a bot or a game server posts; to post it here,
          confirm the id.
        </Trans>
      </p>
      <div className={classes.emptyAction}>
        <NewTransactionButton guild={guild} playerId={player.playerId} />
      </div>
    </EmptyState>
  );
}
