import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { MarkedName } from '../access/PersonMark.tsx';
import type { SortColumn } from '../api/transaction-listing.ts';
import type { Transaction } from '../api/transactions.ts';
import { personAddress } from '../components/addresses.ts';
import { Breakable } from '../components/Breakable.tsx';
import { lazily } from '../components/lazily.ts';
import { MomentBoth } from '../components/Moment.tsx';
import { Balance, BreakableMoney, MoneyFlow } from '../components/Money.tsx';
import { formatMoney, groupCount, placesOf } from '../components/money.ts';
import type { Column } from '../components/record-list.ts';
import classes from './Ledger.module.css';
import { TransactionTag } from './TransactionTag.tsx';

type TransactionColumn = Column<Transaction, SortColumn>;

interface ColumnContext {
  nowMs: number;
  /** The shown rows: the decimals of a column are aligned to the longest of them. */
  rows: readonly Transaction[];
}

export const orderLabels = lazily(
  () =>
    ({
      createdAt: [t`Oldest first`, t`Newest first`],
      amount: [t`Smallest amount first`, t`Largest amount first`],
      quantity: [t`Smallest quantity first`, t`Largest quantity first`],
      total: [t`Smallest total first`, t`Largest total first`],
    }) as const,
);

const name = lazily(
  (): TransactionColumn => ({
    id: 'name',
    label: t`Name`,
    render: (transaction) => (
      <>
        <Breakable>{transaction.name}</Breakable>
        <TransactionTag transaction={transaction} />
      </>
    ),
  }),
);
const source = lazily(
  (): TransactionColumn => ({
    id: 'source',
    label: t`Source`,
    only: 'table',
    render: (transaction) => <Breakable>{transaction.source}</Breakable>,
  }),
);
/** On a card the number of items shares the line of the source; a single item is the total itself. */
const sourceAndItems = lazily(
  (): TransactionColumn => ({
    id: 'sourceAndItems',
    label: t`Source and quantity`,
    only: 'card',
    render: ({ source: from, quantity: count, amount: each }) => (
      <>
        {from}
        {count !== 1 && (
          <>
            {' · '}
            <bdi>
              {`${groupCount(count)} × `}
              <BreakableMoney text={formatMoney(each)} />
            </bdi>
          </>
        )}
      </>
    ),
  }),
);
const quantity = lazily(
  (): TransactionColumn => ({
    id: 'quantity',
    label: t`Quantity`,
    kind: 'number',
    sortBy: 'quantity',
    only: 'table',
    render: (transaction) => groupCount(transaction.quantity),
  }),
);
function placesIn(rows: readonly Transaction[], pick: (row: Transaction) => string): number {
  return rows.reduce((most, row) => Math.max(most, placesOf(pick(row))), 0);
}

function moneyColumns(
  rows: readonly Transaction[],
): Record<'amount' | 'total' | 'balance', TransactionColumn> {
  const places = {
    amount: placesIn(rows, (row) => row.amount),
    total: placesIn(rows, (row) => row.total),
    balance: placesIn(rows, (row) => row.balanceAfter),
  };
  return {
    amount: {
      id: 'amount',
      label: t`Amount each`,
      kind: 'number',
      sortBy: 'amount',
      only: 'table',
      render: (transaction) => <MoneyFlow value={transaction.amount} places={places.amount} />,
    },
    total: {
      id: 'total',
      label: t`Total`,
      kind: 'number',
      sortBy: 'total',
      isCardAside: true,
      render: (transaction) => (
        <strong className={classes.total}>
          <MoneyFlow value={transaction.total} places={places.total} />
        </strong>
      ),
    },
    balance: {
      id: 'balance',
      label: t`Balance after`,
      kind: 'number',
      render: (transaction) => <Balance value={transaction.balanceAfter} places={places.balance} />,
    },
  };
}

const created = (nowMs: number): TransactionColumn => ({
  id: 'createdAt',
  label: t`When`,
  kind: 'line',
  sortBy: 'createdAt',
  render: (transaction) => <MomentBoth at={transaction.createdAt} nowMs={nowMs} />,
});
const player = (guildId: string): TransactionColumn => ({
  id: 'player',
  label: t`Player`,
  render: ({ playerId, username }) => (
    <Link to={personAddress(guildId, playerId)} className={classes.player ?? ''}>
      <MarkedName
        guildId={guildId}
        playerId={playerId}
        name={username ?? playerId}
        isVerified={username !== null}
      />
    </Link>
  ),
});

export function playerColumns({ nowMs, rows }: ColumnContext): TransactionColumn[] {
  const { amount, total, balance } = moneyColumns(rows);
  return [name(), source(), sourceAndItems(), quantity(), amount, total, balance, created(nowMs)];
}

export function guildColumns(guildId: string, { nowMs, rows }: ColumnContext): TransactionColumn[] {
  const { amount, total, balance } = moneyColumns(rows);
  const balances: TransactionColumn = { ...balance, only: 'table' };
  return [
    name(),
    player(guildId),
    source(),
    sourceAndItems(),
    quantity(),
    amount,
    total,
    balances,
    created(nowMs),
  ];
}

/** The columns that can be hidden. The first one names a transaction and stays. */
export const columnChoices = lazily(
  () =>
    [
      { id: 'player', label: t`Player` },
      { id: 'source', label: t`Source` },
      { id: 'quantity', label: t`Quantity` },
      { id: 'amount', label: t`Amount each` },
      { id: 'balance', label: t`Balance after` },
      { id: 'createdAt', label: t`When` },
    ] as const,
);

export function shownColumns(
  columns: readonly TransactionColumn[],
  hidden: readonly string[],
): TransactionColumn[] {
  const choices = new Set<string>(columnChoices().map(({ id }) => id));
  const isHidden = (id: string) => choices.has(id) && hidden.includes(id);
  return columns.filter(({ id }) =>
    id === 'sourceAndItems' ? !(isHidden('source') && isHidden('quantity')) : !isHidden(id),
  );
}
