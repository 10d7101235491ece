import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Input, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import { fieldOfRefusal } from '../acting/post-fields.ts';
import { type PlayerDetails, playerQuery } from '../api/players.ts';
import { ApiError } from '../api/request.ts';
import type { Transaction } from '../api/transactions.ts';
import { AmountInput } from '../components/AmountInput.tsx';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { formatMoney, formatSigned, groupCount } from '../components/money.ts';
import { Segments } from '../components/Segments.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './CorrectionDialog.module.css';
import { CorrectionPreview } from './CorrectionPreview.tsx';
import { correctionFormId, isOverdraft, nameFault } from './correction-form.ts';
import { balanceAgeMsMax, PostingFault, usePosting } from './correction-posting.tsx';
import {
  correctionBy,
  differenceOf,
  emptyShouldBe,
  type ShouldBeField,
  type ShouldBeValues,
  shouldBePreview,
  totalFault,
} from './should-be-form.ts';
import { effectiveTotal } from './transaction-relations.ts';

interface CorrectTransactionDialogProps {
  guildId: string;
  player: PlayerDetails;
  transaction: Transaction;
  onClose: () => void;
}

/** Asks what a transaction should have been, and posts the difference. */
export function CorrectTransactionDialog(props: CorrectTransactionDialogProps) {
  const { guildId, player: opened, transaction, onClose } = props;
  const isPhone = useIsPhone();
  const { data: player = opened } = useQuery({
    ...playerQuery(guildId, opened.playerId),
    refetchInterval: balanceAgeMsMax,
  });
  const form = useForm<ShouldBeValues>({
    initialValues: emptyShouldBe(transaction),
    validate: {
      total: (_total, values) => totalFault(values, transaction),
      name: nameFault,
    },
  });
  const [isOverdraftWanted, setOverdraftWanted] = useState(false);
  const posting = usePosting({ guildId, player, onClose, isOverdraftWanted, corrects: transaction });
  const submit = form.onSubmit(
    (values) => {
      const difference = differenceOf(values, transaction);
      if (difference === undefined) return;
      posting.mutate(correctionBy(values, difference), {
        onError: ({ message }) => {
          const field = refusedField(message);
          if (field) form.setFieldError(field, message);
        },
      });
    },
    (errors) => document.getElementById(`should-be-${'total' in errors ? 'total' : 'name'}`)?.focus(),
  );
  const preview = shouldBePreview(form.values, transaction, player.balance);
  const isRefusedAsOverdraft =
    posting.error instanceof ApiError && posting.error.code === 'overdraft_unconfirmed';
  const needsOverdraft = isOverdraft(preview) || isRefusedAsOverdraft;
  const isRefusedAtField = posting.isError && refusedField(posting.error.message) !== undefined;
  return (
    <FormModal
      form={form}
      formId={correctionFormId(transaction.transactionId)}
      onClose={onClose}
      title={t`Correct the transaction`}
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form className={classes.form} onSubmit={submit} noValidate>
          <p className={classes.text}>
            <PresentTotal transaction={transaction} player={player.username ?? player.playerId} />{' '}
            <Trans>
              A transaction cannot be changed; the difference is posted as another one, and the two are
              linked.
            </Trans>
          </p>
          {posting.isError && !isRefusedAtField && <PostingFault error={posting.error} />}
          <Input.Wrapper label={t`What should it have been?`} labelElement="div">
            <Segments
              aria-label={t`Direction`}
              fullWidth
              data={[
                { value: 'deposit', label: t`Deposit` },
                { value: 'withdrawal', label: t`Withdrawal` },
              ]}
              value={form.values.direction}
              onChange={(direction) => form.setFieldValue('direction', direction)}
            />
          </Input.Wrapper>
          <AmountInput
            id="should-be-total"
            label={t`What should the total have been?`}
            description={t`0 takes it back completely.`}
            required
            data-autofocus
            {...form.getInputProps('total')}
          />
          <TextInput
            id="should-be-name"
            label={t`Name`}
            description={t`Bots and game servers see it, too.`}
            autoComplete="off"
            dir="auto"
            required
            {...form.getInputProps('name')}
          />
          <CorrectionPreview label={t`Difference`} before={player.balance} preview={preview} />
          {needsOverdraft && (
            <Checkbox
              label={t`The balance falls below zero. Post it all the same`}
              checked={isOverdraftWanted}
              onChange={(event) => setOverdraftWanted(event.currentTarget.checked)}
            />
          )}
          <DialogButtons>
            <Button variant="default" onClick={cancel}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={posting.isPending} disabled={needsOverdraft && !isOverdraftWanted}>
              <Trans>Post the correction</Trans>
            </Button>
          </DialogButtons>
        </form>
      )}
    </FormModal>
  );
}

/** The total of the transaction as it was posted, and as it is now, in sentences. */
function PresentTotal({ transaction, player }: { transaction: Transaction; player: string }) {
  const { name, quantity, amount, total, corrections, reversedBy } = transaction;
  const items = quantity === 1 ? '' : ` (${groupCount(quantity)} × ${formatMoney(amount)})`;
  const was = `${formatSigned(total)}${items}`;
  const now = formatSigned(effectiveTotal(transaction));
  return (
    <>
      <Trans>
        <bdi>{name}</bdi> for <bdi>{player}</bdi> was {was}.
      </Trans>
      {reversedBy === null && corrections.length > 0 && ` ${t`With its corrections it is ${now}.`}`}
      {reversedBy !== null && ` ${t`After its reversal it is ${now}.`}`}
    </>
  );
}

function refusedField(message: string): ShouldBeField | undefined {
  const field = fieldOfRefusal(message);
  if (field === undefined) return undefined;
  return field === 'name' ? 'name' : 'total';
}
