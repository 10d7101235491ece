import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { MarkedName } from '../access/PersonMark.tsx';
import type { Transaction } from '../api/transactions.ts';
import { personAddress } from '../components/addresses.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import type { Fact } from '../components/Facts.tsx';
import { MomentExact } from '../components/Moment.tsx';
import { Balance, MoneyFlow } from '../components/Money.tsx';
import { formatSigned, groupCount } from '../components/money.ts';
import classes from './Ledger.module.css';
import { posterText } from './poster-text.ts';
import { correctedId, effectiveTotal } from './transaction-relations.ts';

interface FactsContext {
  guildId: string;
  nowMs: number;
  /** Adds a link to the player, in the list of the whole guild. */
  withPlayerLink?: boolean;
  /** Leaves out the player, who is the reader. */
  isOwn?: boolean;
  /** Shows another transaction instead of this one. */
  onShow: (transactionId: string) => void;
}

/** All fields of a transaction, one per line. */
export function transactionFacts(transaction: Transaction, context: FactsContext): Fact[] {
  const { nowMs } = context;
  const { createdAt, seq, number, transactionId } = transaction;
  const place = groupCount(seq);
  const inGuild = number === null ? undefined : groupCount(number);
  return [
    ...(context.isOwn === true ? [] : playerFacts(transaction, context)),
    { label: t`Amount each`, value: <MoneyFlow value={transaction.amount} /> },
    { label: t`Quantity`, value: groupCount(transaction.quantity) },
    { label: t`Total`, value: <MoneyFlow value={transaction.total} /> },
    ...(transaction.corrections.length === 0
      ? []
      : [{ label: t`With corrections`, value: <MoneyFlow value={effectiveTotal(transaction)} /> }]),
    { label: t`Balance after`, value: <Balance value={transaction.balanceAfter} /> },
    { label: t`Source`, value: <bdi>{transaction.source}</bdi> },
    {
      label: t`When`,
      value: <MomentExact at={createdAt} nowMs={nowMs} />,
    },
    { label: t`Posted by`, value: <Poster postedBy={transaction.postedBy} /> },
    {
      label: t`Number`,
      value:
        inGuild === undefined
          ? t`${place} in this account`
          : t`${place} in this account, ${inGuild} in the guild`,
    },
    ...linksOf(transaction, context.onShow),
    {
      label: t`Transaction id`,
      value: <Copyable text={transactionId} copyLabel={t`Copy the transaction id`} />,
    },
  ];
}

function playerFacts(
  { playerId, username }: Transaction,
  { guildId, withPlayerLink }: Pick<FactsContext, 'guildId' | 'withPlayerLink'>,
): Fact[] {
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
      label: t`Player`,
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
      : [{ label: t`Player id`, value: <Copyable text={playerId} copyLabel={t`Copy the player id`} /> }]),
  ];
}

/** An id beside a transaction. */
interface LinkedId {
  label: string;
  text: string | null | undefined;
  copyLabel: string;
  /** False for the id of a payment, which has no details of its own. */
  isTransaction: boolean;
  note?: string;
}

/** Links to other transactions, and the caller's reference and metadata. */
function linksOf(transaction: Transaction, onShow: FactsContext['onShow']): Fact[] {
  const { reverses, reversedBy, corrections, paymentId, reference, metadata } = transaction;
  const { corrects: _corrects, ...noted } = metadata ?? {};
  const links: LinkedId[] = [
    {
      label: t`Reverses`,
      text: reverses,
      copyLabel: t`Copy the reversed transaction’s id`,
      isTransaction: true,
    },
    { label: t`Reversed by`, text: reversedBy, copyLabel: t`Copy the reversal’s id`, isTransaction: true },
    {
      label: t`Corrects`,
      text: correctedId(transaction),
      copyLabel: t`Copy the corrected transaction’s id`,
      isTransaction: true,
    },
    ...corrections.map(({ transactionId, total }, index) => ({
      label: corrections.length === 1 ? t`Corrected by` : t`Corrected by (${corrections.length - index})`,
      text: transactionId,
      note: formatSigned(total),
      copyLabel: t`Copy the correction’s id`,
      isTransaction: true,
    })),
    { label: t`Payment`, text: paymentId, copyLabel: t`Copy the payment’s id`, isTransaction: false },
  ];
  const linked = links.flatMap(({ label, text, copyLabel, isTransaction, note }) =>
    text === null || text === undefined
      ? []
      : [
          {
            label,
            value: (
              <>
                {note}
                <Copyable text={text} copyLabel={copyLabel} />
                {isTransaction && (
                  <Button variant="subtle" size="compact-sm" onClick={() => onShow(text)}>
                    <Trans>Show it</Trans>
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
    ...(reference === null
      ? []
      : [{ label: t({ message: 'Reference', context: 'of a transaction' }), value: <bdi>{reference}</bdi> }]),
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

function Copyable({ text, copyLabel }: { text: string; copyLabel: string }) {
  return (
    <span className={classes.copyable}>
      <code>{text}</code>
      <CopyAction value={text} label={copyLabel} />
    </span>
  );
}
