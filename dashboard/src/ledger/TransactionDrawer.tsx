import { Button } from '@mantine/core';
import { IconArrowBackUp, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useMay } from '../access/use-may.ts';
import type { Transaction } from '../api/transactions.ts';
import { playerAddress } from '../components/addresses.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import { DetailDrawer } from '../components/DetailDrawer.tsx';
import { Facts } from '../components/Facts.tsx';
import { Balance, MoneyFlow } from '../components/Money.tsx';
import { groupCount, signOf } from '../components/money.ts';
import { exactMoment, momentInWords } from '../components/time.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import classes from './Ledger.module.css';
import { posterText } from './poster-text.ts';
import { ReversalTag } from './ReversalTag.tsx';

const CorrectionOf = lazy(async () => ({ default: (await import('./CorrectionOf.tsx')).CorrectionOf }));
const ReversalDialog = lazy(async () => ({ default: (await import('./ReversalDialog.tsx')).ReversalDialog }));

interface TransactionDrawerProps {
  guildId: string;
  /** Those of the page; the address says which of them is shown. */
  transactions: readonly Transaction[];
  nowMs: number;
  /** In the list of the whole guild, the way to the player. */
  withPlayerLink?: boolean;
}

/** Everything that is known of one transaction. */
export function TransactionDrawer(props: TransactionDrawerProps) {
  const { id, hide } = useShownRecord();
  const shown = props.transactions.find(({ transactionId }) => transactionId === id);
  const transaction = useLast(shown);
  const [dialog, setDialog] = useState<'reversal' | 'correction'>();
  const mayReverse = useMay('ledger.reverse');
  const mayCorrect = useMay('ledger.correct');
  const closeDialog = () => setDialog(undefined);
  const title = transaction && signOf(transaction.total) < 0 ? 'Withdrawal' : 'Deposit';
  return (
    <DetailDrawer isOpen={shown !== undefined} onClose={hide} title={title} isCovered={dialog !== undefined}>
      {transaction && (
        <>
          <p className={classes.drawerTotal}>
            <MoneyFlow value={transaction.total} />
          </p>
          <p className={classes.drawerName}>
            <bdi>{transaction.name}</bdi>
            <ReversalTag transaction={transaction} />
          </p>
          <p className={classes.drawerAction}>
            {mayReverse && isReversible(transaction) && (
              <Button
                variant="default"
                leftSection={<IconArrowBackUp size={17} stroke={1.8} />}
                onClick={() => setDialog('reversal')}
              >
                Reverse
              </Button>
            )}
            {mayCorrect && (
              <Button
                variant="default"
                leftSection={<IconPlus size={17} stroke={1.8} />}
                onClick={() => setDialog('correction')}
              >
                Correct
              </Button>
            )}
          </p>
          <Facts facts={factsOf(transaction, props)} />
          <Suspense>
            {dialog === 'reversal' && (
              <ReversalDialog guildId={props.guildId} transaction={transaction} onClose={closeDialog} />
            )}
            {dialog === 'correction' && (
              <CorrectionOf guildId={props.guildId} transaction={transaction} onClose={closeDialog} />
            )}
          </Suspense>
        </>
      )}
    </DetailDrawer>
  );
}

/** The last one there was, so that the drawer does not go blank while it closes. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

function factsOf(transaction: Transaction, { guildId, nowMs, withPlayerLink }: TransactionDrawerProps) {
  const { playerId, username, createdAt, seq, transactionId } = transaction;
  const createdMs = Date.parse(createdAt);
  const who = <bdi>{username ?? playerId}</bdi>;
  return [
    {
      label: 'Player',
      value: withPlayerLink ? (
        <Link to={playerAddress(guildId, playerId)} className={classes.player ?? ''}>
          {who}
        </Link>
      ) : (
        who
      ),
    },
    ...(username === null
      ? []
      : [{ label: 'Player id', value: <Copyable text={playerId} what="player id" /> }]),
    { label: 'Amount each', value: <MoneyFlow value={transaction.amount} /> },
    { label: 'Quantity', value: groupCount(transaction.quantity) },
    { label: 'Total', value: <MoneyFlow value={transaction.total} /> },
    { label: 'Balance after', value: <Balance value={transaction.balanceAfter} /> },
    { label: 'Source', value: <bdi>{transaction.source}</bdi> },
    {
      label: 'When',
      value: (
        <time dateTime={createdAt}>
          {exactMoment(createdMs)}
          <br />
          <span className={classes.quiet}>{momentInWords(Math.min(createdMs, nowMs), nowMs)}</span>
        </time>
      ),
    },
    { label: 'Posted by', value: <Poster postedBy={transaction.postedBy} /> },
    {
      label: 'Number',
      value: `${groupCount(seq)} in this account, ${groupCount(transaction.number)} in the guild`,
    },
    ...linksOf(transaction),
    { label: 'Transaction id', value: <Copyable text={transactionId} what="transaction id" /> },
  ];
}

/** What it has to do with other transactions, and what the caller noted. */
function linksOf({ reverses, reversedBy, paymentId, reference, metadata }: Transaction) {
  const { corrects = null, ...noted } = metadata ?? {};
  const links = [
    { label: 'Reverses', text: reverses, what: 'reversed transaction’s id' },
    { label: 'Reversed by', text: reversedBy, what: 'reversal’s id' },
    { label: 'Corrects', text: corrects, what: 'corrected transaction’s id' },
    { label: 'Payment', text: paymentId, what: 'payment’s id' },
  ].flatMap(({ label, text, what }) =>
    text === null ? [] : [{ label, value: <Copyable text={text} what={what} /> }],
  );
  const notes = Object.entries(noted).map(([label, text]) => ({
    label,
    value: <bdi>{text}</bdi>,
  }));
  return [
    ...links,
    ...(reference === null ? [] : [{ label: 'Reference', value: <bdi>{reference}</bdi> }]),
    ...notes,
  ];
}

/** A reversal is not reversed, and nothing twice; the service has the last word. */
function isReversible({ reverses, reversedBy }: Transaction): boolean {
  return reverses === null && reversedBy === null;
}

function Poster({ postedBy }: { postedBy: Transaction['postedBy'] }) {
  const { title, detail } = posterText(postedBy);
  return (
    <>
      <bdi>{title}</bdi>
      {detail !== undefined && (
        <>
          <br />
          <span className={classes.quiet}>{detail}</span>
        </>
      )}
    </>
  );
}

function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className={classes.copyable}>
      <code>{text}</code>
      <CopyAction value={text} label={`Copy the ${what}`} />
    </span>
  );
}
