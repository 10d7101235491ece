import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton } from '@mantine/core';
import { IconArrowBackUp, IconCertificate, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useHasDraft } from '../access/use-form-draft.ts';
import { useMay } from '../access/use-may.ts';
import { type Transaction, transactionQuery } from '../api/transactions.ts';
import { DetailDrawer, stepsAmong } from '../components/DetailDrawer.tsx';
import { Facts } from '../components/Facts.tsx';
import { MoneyFlow } from '../components/Money.tsx';
import { signOf } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { useShownRecord } from '../components/use-shown-record.ts';
import { correctionFormId } from './correction-form.ts';
import classes from './Ledger.module.css';
import { reversalFormId } from './reversal-form.ts';
import { isReversible } from './selection-effect.ts';
import { TransactionTag } from './TransactionTag.tsx';
import { transactionFacts } from './transaction-facts.tsx';

const CorrectionOf = lazy(async () => ({ default: (await import('./CorrectionOf.tsx')).CorrectionOf }));
const TransactionReceipt = lazy(async () => ({
  default: (await import('./TransactionReceipt.tsx')).TransactionReceipt,
}));
const ReversalDialog = lazy(async () => ({ default: (await import('./ReversalDialog.tsx')).ReversalDialog }));

type Dialog = 'reversal' | 'correction';

interface TransactionDrawerProps {
  guildId: string;
  /**
   * The transactions of the page, for stepping to the next one. The address has the shown one, which need not be
   * among them.
   */
  transactions: readonly Transaction[];
  nowMs: number;
  /** Adds a link to the player, in the list of the whole guild. */
  withPlayerLink?: boolean;
  /** A transaction of the person's own account, where nothing can be changed. */
  isOwn?: boolean;
}

/** All fields of one transaction. */
export function TransactionDrawer(props: TransactionDrawerProps) {
  const { isOwn = false } = props;
  const { id, exchange, hide } = useShownRecord();
  const listed = props.transactions.find(({ transactionId }) => transactionId === id);
  const query = useQuery({
    ...transactionQuery(props.guildId, id ?? '', isOwn),
    enabled: id !== undefined && listed === undefined,
  });
  const transaction = useLast(id === undefined ? undefined : (listed ?? query.data ?? undefined));
  const isShown = transaction !== undefined && (id === undefined || transaction.transactionId === id);
  const [dialog, setDialog] = useState<Dialog | undefined>(useDraftedDialog(id ?? ''));
  const [receiptOf, setReceiptOf] = useState<string>();
  const direction = isShown && signOf(transaction.total) < 0 ? t`Withdrawal` : t`Deposit`;
  return (
    <DetailDrawer
      isOpen={id !== undefined}
      onClose={hide}
      title={isShown ? direction : t`Transaction`}
      isCovered={dialog !== undefined}
      steps={stepsAmong(
        props.transactions.map(({ transactionId }) => transactionId),
        id,
        exchange,
      )}
    >
      {isShown ? (
        <>
          <p className={classes.drawerTotal}>
            <MoneyFlow value={transaction.total} />
          </p>
          <p className={classes.drawerName}>
            <bdi>{transaction.name}</bdi>
            <TransactionTag transaction={transaction} />
          </p>
          <Actions
            transaction={transaction}
            isReadOnly={isOwn}
            onDialog={setDialog}
            onReceipt={() => setReceiptOf(transaction.transactionId)}
          />
          {receiptOf === transaction.transactionId && (
            <div className={classes.receipt}>
              <Suspense>
                <TransactionReceipt guildId={props.guildId} transactionId={receiptOf} isOwn={isOwn} />
              </Suspense>
            </div>
          )}
          <Facts facts={transactionFacts(transaction, { ...props, onShow: exchange })} />
          <Suspense>
            {dialog === 'reversal' && (
              <ReversalDialog
                guildId={props.guildId}
                transaction={transaction}
                onClose={() => setDialog(undefined)}
              />
            )}
            {dialog === 'correction' && (
              <CorrectionOf
                guildId={props.guildId}
                transaction={transaction}
                onClose={() => setDialog(undefined)}
              />
            )}
          </Suspense>
        </>
      ) : (
        <Missing isGone={query.data === null} error={query.error} isOwn={isOwn} />
      )}
    </DetailDrawer>
  );
}

/** The form that was open when the session ended. */
function useDraftedDialog(transactionId: string): Dialog | undefined {
  const hasReversal = useHasDraft(reversalFormId(transactionId));
  const hasCorrection = useHasDraft(correctionFormId(transactionId));
  if (hasReversal) return 'reversal';
  return hasCorrection ? 'correction' : undefined;
}

interface ActionsProps {
  transaction: Transaction;
  isReadOnly: boolean;
  onDialog: (dialog: Dialog) => void;
  onReceipt: () => void;
}

function Actions({ transaction, isReadOnly, onDialog, onReceipt }: ActionsProps) {
  const mayReverse = useMay('ledger.reverse') && !isReadOnly;
  const mayCorrect = useMay('ledger.correct') && !isReadOnly;
  return (
    <p className={classes.drawerAction}>
      {mayReverse && isReversible(transaction) && (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={17} stroke={1.8} />}
          onClick={() => onDialog('reversal')}
        >
          <Trans>Reverse</Trans>
        </Button>
      )}
      {mayCorrect && (
        <Button
          variant="default"
          leftSection={<IconPlus size={17} stroke={1.8} />}
          onClick={() => onDialog('correction')}
        >
          <Trans>Correct</Trans>
        </Button>
      )}
      <Button variant="default" leftSection={<IconCertificate size={17} stroke={1.8} />} onClick={onReceipt}>
        <Trans>Receipt</Trans>
      </Button>
    </p>
  );
}

interface MissingProps {
  /** The service has answered that there is no such transaction. */
  isGone: boolean;
  error: Error | null;
  isOwn: boolean;
}

/** Shown while the transaction is loading, and when it cannot be loaded. */
function Missing({ isGone, error, isOwn }: MissingProps) {
  if (!isGone && error === null) {
    return (
      <div role="status" aria-label={t`Loading the transaction`}>
        <Skeleton height={34} width="50%" mb="md" />
        <Skeleton height={18} width="70%" mb="xl" />
        <Skeleton height={260} />
      </div>
    );
  }
  return (
    <Notice
      tone="danger"
      title={isGone ? t`There is no such transaction` : t`It could not be loaded`}
      isAnnounced
    >
      {isGone ? goneText(isOwn) : error?.message}
    </Notice>
  );
}

function goneText(isOwn: boolean): string {
  return isOwn
    ? t`Your account has no transaction with this id. Check the link.`
    : t`This guild has no transaction with this id. Check the link.`;
}

/** The last value that was not undefined, so that the drawer does not go blank while it closes. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
