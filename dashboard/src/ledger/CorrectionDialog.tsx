import { Button, Checkbox, Group, Input, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import { useSession } from '../access/session-context.ts';
import { newIdempotencyKey } from '../acting/idempotency-key.ts';
import { amountFault, fieldOfRefusal, quantityFault } from '../acting/post-fields.ts';
import { type PlayerDetails, playerQuery } from '../api/players.ts';
import { ApiError, isUndecided } from '../api/request.ts';
import { postCorrection, type Transaction } from '../api/transactions.ts';
import { formatMoney, formatSigned } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './CorrectionDialog.module.css';
import { CorrectionPreview } from './CorrectionPreview.tsx';
import {
  type CorrectionValues,
  correctionFormId,
  correctionOf,
  emptyCorrection,
  isOverdraft,
  nameFault,
  previewOf,
} from './correction-form.ts';

interface CorrectionDialogProps {
  guildId: string;
  player: PlayerDetails;
  onClose: () => void;
}

// In the order of the form: the first field with an error gets the focus.
const fields = ['name', 'quantity', 'amount'] as const;

// A bot may post in the meantime: the shown balance is never older than this.
export const balanceAgeMsMax = 2_000;

export function CorrectionDialog({ guildId, player: opened, onClose }: CorrectionDialogProps) {
  const isPhone = useIsPhone();
  const { data: player = opened } = useQuery({
    ...playerQuery(guildId, opened.playerId),
    refetchInterval: balanceAgeMsMax,
  });
  const form = useForm<CorrectionValues>({
    initialValues: emptyCorrection,
    validate: { name: nameFault, quantity: quantityFault, amount: amountFault },
  });
  const [isOverdraftWanted, setOverdraftWanted] = useState(false);
  const [isNewWanted, setNewWanted] = useState(false);
  const posting = usePosting({ guildId, player, onClose, isOverdraftWanted });
  const focusFirst = (errors: object) => {
    const first = fields.find((name) => name in errors);
    if (first) document.getElementById(`correction-${first}`)?.focus();
  };
  const submit = form.onSubmit(
    (values) =>
      posting.mutate(values, {
        onError: ({ message }) => {
          const field = fieldOfRefusal(message);
          if (field) form.setFieldError(field, message);
        },
      }),
    focusFirst,
  );
  const preview = previewOf(form.values, player.balance);
  const isRefusedAsOverdraft =
    posting.error instanceof ApiError && posting.error.code === 'overdraft_unconfirmed';
  const needsOverdraft = isOverdraft(preview) || isRefusedAsOverdraft;
  const isNew = player.transactions === 0;
  const isRefusedAtField = posting.isError && fieldOfRefusal(posting.error.message) !== undefined;
  return (
    <FormModal
      form={form}
      formId={correctionFormId({ playerId: player.playerId })}
      onClose={onClose}
      title="Post a correction"
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form className={classes.form} onSubmit={submit} noValidate>
          <p className={classes.text}>
            For <bdi>{player.username ?? player.playerId}</bdi>. A transaction cannot be changed; a mistake is
            put right with another one.
          </p>
          {posting.isError && !isRefusedAtField && <PostingFault error={posting.error} />}
          <Input.Wrapper label="Direction" labelElement="div">
            <SegmentedControl
              aria-label="Direction"
              fullWidth
              data={[
                { value: 'deposit', label: 'Deposit' },
                { value: 'withdrawal', label: 'Withdrawal' },
              ]}
              {...form.getInputProps('direction')}
            />
          </Input.Wrapper>
          <TextInput
            id="correction-name"
            label="Name"
            description="What it is for; bots and game servers see it, too."
            autoComplete="off"
            dir="auto"
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <div className={classes.pair}>
            <TextInput
              id="correction-quantity"
              label="Quantity"
              inputMode="numeric"
              autoComplete="off"
              required
              {...form.getInputProps('quantity')}
            />
            <TextInput
              id="correction-amount"
              label="Amount each"
              inputMode="decimal"
              autoComplete="off"
              required
              {...form.getInputProps('amount')}
            />
          </div>
          <CorrectionPreview label="Total" before={player.balance} preview={preview} />
          {needsOverdraft && (
            <Checkbox
              label="The balance falls below zero. Post it all the same"
              checked={isOverdraftWanted}
              onChange={(event) => setOverdraftWanted(event.currentTarget.checked)}
            />
          )}
          {isNew && (
            <Checkbox
              label={
                <>
                  Open an account for the player id <code>{player.playerId}</code>, which has none yet. I have
                  checked the id
                </>
              }
              checked={isNewWanted}
              onChange={(event) => setNewWanted(event.currentTarget.checked)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={posting.isPending}
              disabled={(needsOverdraft && !isOverdraftWanted) || (isNew && !isNewWanted)}
            >
              {form.values.direction === 'deposit' ? 'Post the deposit' : 'Post the withdrawal'}
            </Button>
          </Group>
        </form>
      )}
    </FormModal>
  );
}

interface PostingInput extends CorrectionDialogProps {
  /** The transaction to be corrected, if there is one. */
  corrects?: Transaction;
  isOverdraftWanted: boolean;
}

/** Posts a correction, closes the dialog, and refreshes the pages that show the ledger. */
export function usePosting({ guildId, player, corrects, isOverdraftWanted, onClose }: PostingInput) {
  const session = useSession();
  const queryClient = useQueryClient();
  // The same key while the dialog is open: a second click, or a retry after a missing answer, posts nothing twice.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const refresh = (...key: string[]) =>
    queryClient.invalidateQueries({ queryKey: ['guilds', guildId, ...key] });
  return useMutation({
    mutationFn: (values: CorrectionValues) => {
      const correction = correctionOf(values, { corrects: corrects?.transactionId, isOverdraftWanted });
      return postCorrection(session, guildId, {
        playerId: player.playerId,
        correction,
        idempotencyKey,
      });
    },
    onSuccess: ({ balance }, values) => {
      const total = previewOf(values, '0')?.total ?? '0';
      notifications.show({
        title: values.direction === 'deposit' ? 'Deposit posted' : 'Withdrawal posted',
        message: `${formatSigned(total)}; the balance is now ${formatMoney(balance)}`,
      });
      onClose();
    },
    // Also when there was no answer: it may have been posted.
    onSettled: () => Promise.all([refresh('ledger'), refresh('overview'), refresh('audit')]),
  });
}

export function PostingFault({ error }: { error: Error }) {
  const isOpen = isUndecided(error);
  return (
    <Notice tone="danger" title={isOpen ? 'No clear answer' : 'Nothing was posted'} isAnnounced>
      {isOpen
        ? `${error.message} The correction may or may not have been posted. Post it again as it stands: it counts only once.`
        : error.message}
    </Notice>
  );
}
