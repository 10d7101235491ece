import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { may } from '../access/guild-texts.ts';
import type { Guild } from '../api/guilds.ts';
import type { PlayerDetails } from '../api/players.ts';
import { drawnPoints } from '../charts/balance-points.ts';
import { ChartFrame } from '../charts/ChartFrame.tsx';
import { Figures } from '../components/Figures.tsx';
import { Moment } from '../components/Moment.tsx';
import { Balance } from '../components/Money.tsx';
import { formatMoney, groupCount } from '../components/money.ts';
import { exactMoment } from '../components/time.ts';
import { useNow } from '../components/use-now.ts';
import classes from './Ledger.module.css';

const BalanceArea = lazy(async () => ({
  default: (await import('../charts/BalanceArea.tsx')).BalanceArea,
}));

const FloorDialog = lazy(async () => ({ default: (await import('./FloorDialog.tsx')).FloorDialog }));

/** What a player's account holds, and how it came to that. */
export function PlayerAccount({ guild, player }: { guild: Guild; player: PlayerDetails }) {
  const nowMs = useNow();
  const [isSettingFloor, setSettingFloor] = useState(false);
  const moment = (at: string | null) => (at === null ? '–' : <Moment at={at} nowMs={nowMs} />);
  return (
    <>
      <Figures
        figures={[
          {
            label: 'Balance',
            value: <Balance value={player.balance} />,
            length: formatMoney(player.balance).length,
          },
          {
            label: 'Lowest balance',
            value: player.floor === null ? 'Guild’s setting' : <Balance value={player.floor} />,
            length: player.floor === null ? 15 : formatMoney(player.floor).length,
            note: may(guild, 'settings.change') && (
              <Button variant="subtle" size="compact-xs" onClick={() => setSettingFloor(true)}>
                Change
              </Button>
            ),
          },
          { label: 'Transactions', value: groupCount(player.transactions) },
          { label: 'First', value: moment(player.firstAt) },
          { label: 'Last', value: moment(player.lastAt) },
        ]}
      />
      {isSettingFloor && (
        <Suspense>
          <FloorDialog guild={guild} player={player} onClose={() => setSettingFloor(false)} />
        </Suspense>
      )}
      <section className={classes.section} aria-labelledby="balance-title">
        <h2 id="balance-title" className={classes.sectionTitle}>
          Balance over time
        </h2>
        <ChartFrame
          title="Balance over time"
          headings={['When', 'Balance']}
          rows={player.history.map(({ at, balance }) => [exactMoment(Date.parse(at)), formatMoney(balance)])}
        >
          <BalanceArea points={drawnPoints(player.history, nowMs)} />
        </ChartFrame>
      </section>
    </>
  );
}
