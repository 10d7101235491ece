import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { MarkedName } from '../access/PersonMark.tsx';
import type { Transaction } from '../api/transactions.ts';
import { personAddress } from '../components/addresses.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import type { Fact } from '../components/Facts.tsx';
import { Balance, MoneyFlow } from '../components/Money.tsx';
import { formatSigned, groupCount } from '../components/money.ts';
import { exactMoment, momentInWords } from '../components/time.ts';
import classes from './Ledger.module.css';
import { posterText } from './poster-text.ts';
import { correctedId, effectiveTotal } from './transaction-relations.ts';

interface FactsContext {
  guildId: string;
  nowMs: number;
  /** Adds a link to the player, in the list of the whole guild. */
  withPlayerLink?: boolean;
  /** Shows another transaction instead of this one. */
  onShow: (transactionId: string) => void;
}

/** All fields of a transaction, one per line. */
export function transactionFacts(transaction: Transaction, context: FactsContext): Fact[] {
  const { guildId, nowMs, withPlayerLink } = context;
  const { playerId, username, createdAt, seq, transactionId } = transaction;
  const createdMs = Date.parse(createdAt);
  const who = (
    <MarkedName
      guildId={guildId}
      playerId={playerId}
      name={username ?? playerId}
      isVerified={username !== null}
    />
  );
  return [
    {
      label: 'Player',
      value: withPlayerLink ? (
        <Link to={personAddress(guildId, playerId)} className={classes.player ?? ''}>
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
    ...(transaction.corrections.length === 0
      ? []
      : [{ label: 'With corrections', value: <MoneyFlow value={effectiveTotal(transaction)} /> }]),
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
    ...linksOf(transaction, context.onShow),
    { label: 'Transaction id', value: <Copyable text={transactionId} what="transaction id" /> },
  ];
}

/** An id beside a transaction. */
interface LinkedId {
  label: string;
  text: string | null | undefined;
  what: string;
  /** False for the id of a payment, which has no details of its own. */
  isTransaction: boolean;
  note?: string;
}

/** Links to other transactions, and the caller's reference and metadata. */
function linksOf(transaction: Transaction, onShow: FactsContext['onShow']): Fact[] {
  const { reverses, reversedBy, corrections, paymentId, reference, metadata } = transaction;
  const { corrects: _corrects, ...noted } = metadata ?? {};
  const links: LinkedId[] = [
    { label: 'Reverses', text: reverses, what: 'reversed transaction’s id', isTransaction: true },
    { label: 'Reversed by', text: reversedBy, what: 'reversal’s id', isTransaction: true },
    {
      label: 'Corrects',
      text: correctedId(transaction),
      what: 'corrected transaction’s id',
      isTransaction: true,
    },
    ...corrections.map(({ transactionId, total }, index) => ({
      label: corrections.length === 1 ? 'Corrected by' : `Corrected by (${corrections.length - index})`,
      text: transactionId,
      note: formatSigned(total),
      what: 'correction’s id',
      isTransaction: true,
    })),
    { label: 'Payment', text: paymentId, what: 'payment’s id', isTransaction: false },
  ];
  const linked = links.flatMap(({ label, text, what, isTransaction, note }) =>
    text === null || text === undefined
      ? []
      : [
          {
            label,
            value: (
              <>
                {note}
                <Copyable text={text} what={what} />
                {isTransaction && (
                  <Button variant="subtle" size="compact-sm" onClick={() => onShow(text)}>
                    Show it
                  </Button>
                )}
              </>
            ),
          },
        ],
  );
  const notes = Object.entries(noted).map(([label, text]) => ({
    label,
    value: <bdi>{text}</bdi>,
  }));
  return [
    ...linked,
    ...(reference === null ? [] : [{ label: 'Reference', value: <bdi>{reference}</bdi> }]),
    ...notes,
  ];
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
