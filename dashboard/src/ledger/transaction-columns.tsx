import { Link } from 'react-router';
import type { SortColumn, Transaction } from '../api/transactions.ts';
import { playerAddress } from '../components/addresses.ts';
import { Moment } from '../components/Moment.tsx';
import { MoneyFlow } from '../components/Money.tsx';
import { formatMoney, groupCount } from '../components/money.ts';
import type { Column } from '../components/record-list.ts';
import classes from './Ledger.module.css';
import { ReversalTag } from './ReversalTag.tsx';

type TransactionColumn = Column<Transaction, SortColumn>;

const name: TransactionColumn = {
  id: 'name',
  label: 'Name',
  render: (transaction) => (
    <>
      <bdi>{transaction.name}</bdi>
      <ReversalTag transaction={transaction} />
    </>
  ),
};
const source: TransactionColumn = {
  id: 'source',
  label: 'Source',
  render: (transaction) => <bdi>{transaction.source}</bdi>,
};
const quantity: TransactionColumn = {
  id: 'quantity',
  label: 'Quantity',
  kind: 'number',
  sortBy: 'quantity',
  only: 'table',
  render: (transaction) => groupCount(transaction.quantity),
};
const amount: TransactionColumn = {
  id: 'amount',
  label: 'Amount each',
  kind: 'number',
  sortBy: 'amount',
  only: 'table',
  render: (transaction) => <MoneyFlow value={transaction.amount} />,
};
const items: TransactionColumn = {
  id: 'items',
  label: 'Items',
  only: 'card',
  render: ({ quantity: count, amount: each }) => `${groupCount(count)} × ${formatMoney(each)}`,
};
const total: TransactionColumn = {
  id: 'total',
  label: 'Total',
  kind: 'number',
  sortBy: 'total',
  isCardAside: true,
  render: (transaction) => (
    <strong className={classes.total}>
      <MoneyFlow value={transaction.total} />
    </strong>
  ),
};
const created = (nowMs: number): TransactionColumn => ({
  id: 'createdAt',
  label: 'When',
  kind: 'line',
  sortBy: 'createdAt',
  render: (transaction) => <Moment at={transaction.createdAt} nowMs={nowMs} />,
});
const player = (guildId: string): TransactionColumn => ({
  id: 'player',
  label: 'Player',
  render: ({ playerId, username }) => (
    <Link to={playerAddress(guildId, playerId)} className={classes.player ?? ''}>
      <bdi>{username ?? playerId}</bdi>
    </Link>
  ),
});

export function playerColumns(nowMs: number): TransactionColumn[] {
  return [name, source, items, quantity, amount, total, created(nowMs)];
}

export function guildColumns(guildId: string, nowMs: number): TransactionColumn[] {
  return [name, player(guildId), source, items, quantity, amount, total, created(nowMs)];
}
