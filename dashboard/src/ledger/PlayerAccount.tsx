import { lazy } from 'react';
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

/** What a player's account holds, and how it came to that. */
export function PlayerAccount({ player }: { player: PlayerDetails }) {
  const nowMs = useNow();
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
          { label: 'Transactions', value: groupCount(player.transactions) },
          { label: 'First', value: moment(player.firstAt) },
          { label: 'Last', value: moment(player.lastAt) },
        ]}
      />
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
