import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Input, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import type { Guild } from '../api/guilds.ts';
import { type PlayerDetails, playerQuery } from '../api/players.ts';
import { postPayment, postTransactions } from '../api/posts.ts';
import { ApiError } from '../api/request.ts';
import { AmountInput } from '../components/AmountInput.tsx';
import { FormButtons } from '../components/FormButtons.tsx';
import { lazily } from '../components/lazily.ts';
import { formatMoney, formatSigned } from '../components/money.ts';
import { Segments } from '../components/Segments.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './Acting.module.css';
import { BalancePreview, type PreviewLine } from './BalancePreview.tsx';
import { changeBalance } from './balance-change.ts';
import { PersonField } from './PersonField.tsx';
import { PostingFault } from './PostingFault.tsx';
import { fieldOfRefusal } from './post-fields.ts';
import {
  effectsOf,
  type PostKind,
  type PostValues,
  postFaults,
  postFields,
  postFormId,
  startPost,
  toNewPayment,
  toNewPost,
} from './post-form.ts';
import { usePosting } from './use-posting.ts';

interface NewTransactionDialogProps {
  guild: Guild;
  /** The person of the page, for whom the form begins. */
  playerId?: string;
  onClose: () => void;
}

const kindOrder: readonly PostKind[] = ['deposit', 'withdrawal', 'payment'];
const kinds = lazily(
  (): Record<PostKind, { label: string; person: string; button: string; done: string }> => ({
    deposit: { label: t`Deposit`, person: t`Person`, button: t`Post the deposit`, done: t`Deposit posted` },
    withdrawal: {
      label: t`Withdrawal`,
      person: t`Person`,
      button: t`Post the withdrawal`,
      done: t`Withdrawal posted`,
    },
    payment: {
      label: t`Payment`,
      person: t({ message: 'From', context: 'payment' }),
      button: t`Post the payment`,
      done: t`Payment posted`,
    },
  }),
);

// A bot may post in the meantime: the shown balance is never older than this.
const balanceAgeMsMax = 2_000;

/** A deposit, a withdrawal or a payment between two people, with the balances before and after. */
export function NewTransactionDialog({ guild, playerId: opened, onClose }: NewTransactionDialogProps) {
  const { guildId } = guild;
  const isPhone = useIsPhone();
  const form = useForm<PostValues>({ initialValues: startPost(opened), validate: postFaults });
  const { values } = form;
  const isPayment = values.kind === 'payment';
  const from = usePlayer(guildId, values.playerId);
  const to = usePlayer(guildId, isPayment ? values.toPlayerId : '');
  const people = [from, ...(isPayment ? [to] : [])];
  const lines = linesOf(guild, values, people);
  const [isOverdraftWanted, setOverdraftWanted] = useState(false);
  const [isNewWanted, setNewWanted] = useState(false);
  const posting = useNewPost(guildId, onClose);
  const isUnconfirmed = posting.error instanceof ApiError && posting.error.code === 'overdraft_unconfirmed';
  const needsOverdraft = isUnconfirmed || lines.some(({ balance }) => balance?.state === 'below-zero');
  const isRefusedAtField = posting.isError && fieldOfRefusal(posting.error.message) !== undefined;
  const opens = people.filter((player) => player?.transactions === 0);
  const isHeld =
    (needsOverdraft && !isOverdraftWanted) ||
    (opens.length > 0 && !isNewWanted) ||
    lines.some(({ balance }) => balance?.state === 'refused');
  const submit = form.onSubmit(
    (wanted) =>
      posting.mutate(
        { values: wanted, overdraft: isOverdraftWanted && needsOverdraft },
        {
          onError: ({ message }) => {
            const field = fieldOfRefusal(message);
            if (field) form.setFieldError(field, message);
          },
        },
      ),
    focusFirst,
  );
  return (
    <FormModal
      form={form}
      formId={postFormId(opened)}
      onClose={onClose}
      title={t`New transaction`}
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form className={classes.form} onSubmit={submit} noValidate>
          {opened !== undefined && (
            <p className={classes.text}>
              <Whom isPayment={isPayment} name={from?.username ?? opened} />
            </p>
          )}
          {posting.isError && !isRefusedAtField && <PostingFault error={posting.error} />}
          <Input.Wrapper label={t`Kind`} labelElement="div">
            <Segments
              aria-label={t`Kind`}
              fullWidth
              data={kindOrder.map((value) => ({ value, label: kinds()[value].label }))}
              value={form.values.kind}
              onChange={(kind) => form.setFieldValue('kind', kind)}
            />
          </Input.Wrapper>
          {opened === undefined && (
            <PersonField
              id="post-playerId"
              guildId={guildId}
              label={kinds()[values.kind].person}
              allowsNew={values.kind === 'deposit'}
              hasFocus
              {...personProps(form, 'playerId')}
            />
          )}
          {isPayment && (
            <PersonField
              id="post-toPlayerId"
              guildId={guildId}
              label={t({ message: 'To', context: 'payment' })}
              allowsNew
              {...personProps(form, 'toPlayerId')}
            />
          )}
          <TextInput
            id="post-name"
            label={t`Name`}
            description={t`What it is for; bots and game servers see it, too.`}
            autoComplete="off"
            dir="auto"
            required
            {...(opened !== undefined && { 'data-autofocus': true })}
            {...form.getInputProps('name')}
          />
          <AmountFields form={form} isPayment={isPayment} />
          {lines.length > 0 && <BalancePreview lines={lines} />}
          {needsOverdraft && (
            <Checkbox
              label={t`The balance falls below zero. Post it all the same`}
              checked={isOverdraftWanted}
              onChange={(event) => setOverdraftWanted(event.currentTarget.checked)}
            />
          )}
          {opens.map((player) => (
            <Checkbox
              key={player?.playerId}
              label={
                <Trans>
                  Open an account for the player id <code>{player?.playerId}</code>, which has none yet. I
                  have checked the id
                </Trans>
              }
              checked={isNewWanted}
              onChange={(event) => setNewWanted(event.currentTarget.checked)}
            />
          ))}
          <FormButtons
            onCancel={cancel}
            isSaving={posting.isPending}
            label={kinds()[values.kind].button}
            isDisabled={isHeld}
          />
        </form>
      )}
    </FormModal>
  );
}

type PostForm = Pick<UseFormReturnType<PostValues>, 'errors' | 'getInputProps' | 'setFieldValue' | 'values'>;

function personProps(form: PostForm, field: 'playerId' | 'toPlayerId') {
  return {
    playerId: form.values[field],
    onPick: (playerId: string) => form.setFieldValue(field, playerId),
    error: form.errors[field],
  };
}

function AmountFields({ form, isPayment }: { form: PostForm; isPayment: boolean }) {
  const amount = (
    <AmountInput
      id="post-amount"
      label={isPayment ? t`Amount` : t`Amount each`}
      required
      {...form.getInputProps('amount')}
    />
  );
  if (isPayment) return amount;
  return (
    <div className={classes.pair}>
      <TextInput
        id="post-quantity"
        label={t`Quantity`}
        inputMode="numeric"
        autoComplete="off"
        required
        {...form.getInputProps('quantity')}
      />
      {amount}
    </div>
  );
}

function focusFirst(errors: object) {
  const first = postFields.find((name) => name in errors);
  if (first) document.getElementById(`post-${first}`)?.focus();
}

/** The account of a chosen person; undefined while nobody is chosen or it is loading. */
function usePlayer(guildId: string, playerId: string): PlayerDetails | undefined {
  const { data } = useQuery({
    ...playerQuery(guildId, playerId),
    enabled: playerId !== '',
    refetchInterval: balanceAgeMsMax,
  });
  return playerId === '' ? undefined : data;
}

function linesOf(
  { overdraftAllowed }: Guild,
  values: PostValues,
  people: readonly (PlayerDetails | undefined)[],
): PreviewLine[] {
  const effects = effectsOf(values);
  return people.flatMap((player, index) => {
    if (!player) return [];
    const lowest = player.floor ?? (overdraftAllowed ? null : '0');
    const change = effects?.[index]?.change;
    return {
      playerId: player.playerId,
      label: player.username ?? player.playerId,
      before: player.balance,
      change,
      lowest,
      balance: change === undefined ? undefined : changeBalance({ balance: player.balance, lowest }, change),
    };
  });
}

interface PostOrder {
  values: PostValues;
  overdraft: boolean;
}

function useNewPost(guildId: string, onClose: () => void) {
  return usePosting<PostOrder, string>({
    guildId,
    post: async (session, { values, overdraft }, idempotencyKey) => {
      const how = { overdraft, idempotencyKey };
      const change = effectsOf(values)?.at(-1)?.change ?? '0';
      if (values.kind === 'payment') {
        await postPayment(session, guildId, { payment: toNewPayment(values), ...how });
        return t`${formatMoney(change)} paid`;
      }
      const order = { transactions: [toNewPost(values)], ...how };
      const { balances } = await postTransactions(session, guildId, order);
      return t`${formatSigned(change)}; the balance is now ${formatMoney(balances[0] ?? '0')}`;
    },
    onDone: (message, { values }) => {
      notifications.show({ title: kinds()[values.kind].done, message });
      onClose();
    },
  });
}

function Whom({ isPayment, name }: { isPayment: boolean; name: string }) {
  return isPayment ? (
    <Trans>
      From <bdi>{name}</bdi>.
    </Trans>
  ) : (
    <Trans>
      For <bdi>{name}</bdi>.
    </Trans>
  );
}
