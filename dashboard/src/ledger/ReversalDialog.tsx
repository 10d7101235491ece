import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import { useSession } from '../access/session-context.ts';
import { newIdempotencyKey } from '../acting/idempotency-key.ts';
import { playerQuery } from '../api/players.ts';
import { ApiError, isUndecided } from '../api/request.ts';
import { postReversal, type Transaction } from '../api/transactions.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { addMoney, formatMoney, formatSigned, groupCount } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './CorrectionDialog.module.css';
import { CorrectionPreview } from './CorrectionPreview.tsx';
import { balanceAgeMsMax } from './correction-posting.tsx';
import { oppositeOf, reasonFault, reversalFormId } from './reversal-form.ts';
import { effectiveTotal } from './transaction-relations.ts';

interface ReversalDialogProps {
  guildId: string;
  transaction: Transaction;
  onClose: () => void;
}

/** Reverses a transaction by posting its exact opposite. */
export function ReversalDialog({ guildId, transaction, onClose }: ReversalDialogProps) {
  const isPhone = useIsPhone();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: reasonFault },
    validateInputOnChange: true,
  });
  const [isForced, setForced] = useState(false);
  const reversing = useReversing({ guildId, transaction, onClose });
  const isShort = reversing.error instanceof ApiError && reversing.error.code === 'insufficient_funds';
  const opposite = oppositeOf(transaction);
  const { data: player } = useQuery({
    ...playerQuery(guildId, transaction.playerId),
    refetchInterval: balanceAgeMsMax,
  });
  return (
    <FormModal
      form={form}
      formId={reversalFormId(transaction.transactionId)}
      onClose={onClose}
      title={t`Reverse the transaction`}
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form
          className={classes.form}
          noValidate
          onSubmit={form.onSubmit(({ reason }) =>
            reversing.mutate({ reason: reason.trim(), force: isShort && isForced }),
          )}
        >
          <p className={classes.text}>
            <Trans>
              This posts the exact opposite of <bdi>{transaction.name}</bdi> for{' '}
              <bdi>{transaction.username ?? transaction.playerId}</bdi> and links the two. It can be done
              once, and not be taken back itself.
            </Trans>
            {transaction.paymentId !== null && ` ${t`The other side of the payment is reversed with it.`}`}
          </p>
          {reversing.isError && <ReversalFault error={reversing.error} />}
          {transaction.corrections.length > 0 && (
            <Notice tone="warning" title={t`It was corrected`}>
              <Trans>
                With its corrections it is {formatSigned(effectiveTotal(transaction))}, but the reversal takes
                back the original {formatSigned(transaction.total)}. To take back the rest, correct it to 0.
              </Trans>
            </Notice>
          )}
          <CorrectionPreview
            label={`${groupCount(opposite.quantity)} × ${formatMoney(opposite.amount)}`}
            before={player?.balance}
            preview={player && { total: opposite.total, balance: addMoney(player.balance, opposite.total) }}
          />
          <TextInput
            label={t`Reason`}
            description={t`Kept with the reversal; bots and game servers see it, too.`}
            autoComplete="off"
            dir="auto"
            data-autofocus
            {...form.getInputProps('reason')}
          />
          {isShort && (
            <Checkbox
              label={t`Reverse it all the same, and let the balance fall below its limit`}
              checked={isForced}
              onChange={(event) => setForced(event.currentTarget.checked)}
            />
          )}
          <DialogButtons>
            <Button variant="default" onClick={cancel}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={reversing.isPending} disabled={isShort && !isForced}>
              <Trans>Reverse</Trans>
            </Button>
          </DialogButtons>
        </form>
      )}
    </FormModal>
  );
}

function useReversing({ guildId, transaction, onClose }: ReversalDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  // The same key while the dialog is open: a second click, or a retry after a missing answer, posts nothing twice.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const refresh = (...key: string[]) =>
    queryClient.invalidateQueries({ queryKey: ['guilds', guildId, ...key] });
  return useMutation({
    mutationFn: (order: { reason: string; force: boolean }) =>
      postReversal(session, guildId, {
        ...order,
        transactionId: transaction.transactionId,
        idempotencyKey,
      }),
    onSuccess: () => {
      notifications.show({
        title: t`Transaction reversed`,
        message: t`${formatSigned(oppositeOf(transaction).total)} posted`,
      });
      onClose();
    },
    // Also when there was no answer: it may have been posted.
    onSettled: () => Promise.all([refresh('ledger'), refresh('overview'), refresh('audit')]),
  });
}

export function ReversalFault({ error }: { error: Error }) {
  const isOpen = isUndecided(error);
  return (
    <Notice tone="danger" title={isOpen ? t`No clear answer` : t`Nothing was posted`} isAnnounced>
      {isOpen
        ? t`${error.message} The reversal may or may not have been posted. Try again as it stands: it counts only once.`
        : error.message}
    </Notice>
  );
}
