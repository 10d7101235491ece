import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import { useSession } from '../access/session-context.ts';
import { newIdempotencyKey } from '../acting/idempotency-key.ts';
import { playerQuery } from '../api/players.ts';
import { ApiError } from '../api/request.ts';
import { postReversals, type Transaction } from '../api/transactions.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Balance, MoneyFlow } from '../components/Money.tsx';
import { addMoney } from '../components/money.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './CorrectionDialog.module.css';
import { ReversalFault } from './ReversalDialog.tsx';
import { reasonFault, reversalFormId } from './reversal-form.ts';
import { effectsOf, type PlayerEffect } from './selection-effect.ts';

/** Balances are shown for this many players at most. */
const playersShownMax = 8;

interface SelectedReversalDialogProps {
  guildId: string;
  transactions: readonly Transaction[];
  /** The number of selected transactions that cannot be reversed. */
  leftOut: number;
  onClose: () => void;
  onReversed: () => void;
}

/** Reverses the selected transactions, all or none. */
export function SelectedReversalDialog(props: SelectedReversalDialogProps) {
  const { transactions, leftOut, onClose } = props;
  const isPhone = useIsPhone();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: reasonFault },
    validateInputOnChange: true,
  });
  const [isForced, setForced] = useState(false);
  const reversing = useReversingAll(props);
  const isShort = reversing.error instanceof ApiError && reversing.error.code === 'insufficient_funds';
  const reverseText = plural(transactions.length, {
    one: 'Reverse # transaction',
    other: 'Reverse # transactions',
  });
  const hasPayment = transactions.some(({ paymentId }) => paymentId !== null);
  return (
    <FormModal
      form={form}
      formId={reversalFormId('selected')}
      onClose={onClose}
      title={reverseText}
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
              This posts the exact opposite of each, all of them or none, and links them. It cannot be taken
              back itself.
            </Trans>
            {hasPayment && ` ${t`The other sides of payments are reversed with them.`}`}
            {leftOut > 0 && ` ${leftOutText(leftOut)}`}
          </p>
          {reversing.isError && <ReversalFault error={reversing.error} />}
          <Effects guildId={props.guildId} effects={effectsOf(transactions)} />
          <TextInput
            label={t`Reason`}
            description={t`Kept with each reversal; bots and game servers see it, too.`}
            autoComplete="off"
            dir="auto"
            data-autofocus
            {...form.getInputProps('reason')}
          />
          {isShort && (
            <Checkbox
              label={t`Reverse them all the same, and let balances fall below their limits`}
              checked={isForced}
              onChange={(event) => setForced(event.currentTarget.checked)}
            />
          )}
          <DialogButtons>
            <Button variant="default" onClick={cancel}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={reversing.isPending} disabled={isShort && !isForced}>
              {reverseText}
            </Button>
          </DialogButtons>
        </form>
      )}
    </FormModal>
  );
}

function leftOutText(count: number): string {
  return plural(count, {
    one: '# transaction of the selection cannot be reversed, and is left out.',
    other: '# transactions of the selection cannot be reversed, and are left out.',
  });
}

/** Change and resulting balance of each player. */
function Effects({ guildId, effects }: { guildId: string; effects: readonly PlayerEffect[] }) {
  const shown = effects.slice(0, playersShownMax);
  const players = useQueries({ queries: shown.map(({ playerId }) => playerQuery(guildId, playerId)) });
  const others = effects.length - shown.length;
  return (
    <dl className={classes.preview}>
      {shown.map(({ playerId, username, total }, index) => {
        const balance = players[index]?.data?.balance;
        return (
          <div key={playerId}>
            <dt>
              <bdi>{username ?? playerId}</bdi>
            </dt>
            <dd>
              <MoneyFlow value={total} />
              <br />
              {balance === undefined ? (
                '–'
              ) : (
                <>
                  <Balance value={balance} /> → <Balance value={addMoney(balance, total)} />
                </>
              )}
            </dd>
          </div>
        );
      })}
      {others > 0 && (
        <div>
          <dt>
            <Trans>Others</Trans>
          </dt>
          <dd>{plural(others, { one: '# player', other: '# players' })}</dd>
        </div>
      )}
    </dl>
  );
}

function useReversingAll({ guildId, transactions, onClose, onReversed }: SelectedReversalDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  // The same key while the dialog is open: a second click, or a retry after a missing answer, posts nothing twice.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const refresh = (...key: string[]) =>
    queryClient.invalidateQueries({ queryKey: ['guilds', guildId, ...key] });
  return useMutation({
    mutationFn: (order: { reason: string; force: boolean }) =>
      postReversals(session, guildId, {
        ...order,
        transactionIds: transactions.map(({ transactionId }) => transactionId),
        idempotencyKey,
      }),
    onSuccess: ({ reversed }) => {
      notifications.show({
        title: t`Transactions reversed`,
        message: plural(reversed, { one: '# transaction posted', other: '# transactions posted' }),
      });
      onClose();
      onReversed();
    },
    // Also when there was no answer: it may have been posted.
    onSettled: () => Promise.all([refresh('ledger'), refresh('overview'), refresh('audit')]),
  });
}
