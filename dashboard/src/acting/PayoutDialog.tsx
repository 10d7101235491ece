import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Input, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { postTransactions, type Recipient, recipientsQuery } from '../api/posts.ts';
import { ApiError } from '../api/request.ts';
import { AmountInput } from '../components/AmountInput.tsx';
import { FormButtons } from '../components/FormButtons.tsx';
import { formatMoney } from '../components/money.ts';
import { Segments } from '../components/Segments.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './Acting.module.css';
import { PeopleChoice } from './PeopleChoice.tsx';
import { PeopleTable } from './PeopleTable.tsx';
import { PostingFault } from './PostingFault.tsx';
import {
  emptyPayout,
  type PayoutValues,
  payoutFaults,
  payoutFields,
  payoutFormId,
  payoutRows,
  toPosts,
  totalOf,
  type UnclearText,
  withPeople,
} from './payout-form.ts';
import { usePosting } from './use-posting.ts';

interface PayoutDialogProps {
  guild: Guild;
  onClose: () => void;
}

/** The same amount to many people, or from many: all of them or none. */
export function PayoutDialog({ guild: { guildId }, onClose }: PayoutDialogProps) {
  const isPhone = useIsPhone();
  const form = useForm<PayoutValues>({ initialValues: emptyPayout, validate: payoutFaults });
  const { values } = form;
  const [unclear, setUnclear] = useState<UnclearText[]>([]);
  const [isOverdraftWanted, setOverdraftWanted] = useState(false);
  const [found, setFound] = useState<ReadonlyMap<string, Recipient>>(new Map());
  const missing = values.playerIds.filter((playerId) => !found.has(playerId));
  const people = useQuery({
    ...recipientsQuery(useSession(), guildId, missing),
    enabled: missing.length > 0,
  });
  const rows = payoutRows(values, new Map([...(people.data ?? []), ...found]));
  const posting = usePayout(guildId, onClose);
  const refusedAt = posting.error instanceof ApiError ? posting.error.position : undefined;
  const isUnconfirmed = posting.error instanceof ApiError && posting.error.code === 'overdraft_unconfirmed';
  const needsOverdraft = isUnconfirmed || rows.some(({ balance }) => balance?.state === 'below-zero');
  const refused = rows.filter(({ balance }) => balance?.state === 'refused').length;
  const submit = form.onSubmit(
    (wanted) =>
      posting.mutate(
        { values: wanted, overdraft: isOverdraftWanted && needsOverdraft },
        // Balances have changed meanwhile: all of them are read again.
        { onError: () => setFound(new Map()) },
      ),
    focusFirst,
  );
  const add = (playerIds: readonly string[], known: readonly Recipient[] = []) => {
    form.setFieldValue('playerIds', (before) => withPeople(before, playerIds));
    if (known.length > 0) {
      setFound((before) => new Map([...before, ...known.map((one) => [one.playerId, one] as const)]));
    }
  };
  const setPlayerIds = form.setFieldValue;
  const remove = useCallback(
    (playerId: string) =>
      setPlayerIds('playerIds', (before: string[]) => before.filter((one) => one !== playerId)),
    [setPlayerIds],
  );
  return (
    <FormModal
      form={form}
      formId={payoutFormId}
      onClose={onClose}
      title={t`Payout`}
      size="lg"
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form className={classes.form} onSubmit={submit} noValidate>
          <p className={classes.text}>
            <Trans>The same amount for each person, in one step: all transactions are posted, or none.</Trans>
          </p>
          {posting.isError && <PostingFault error={posting.error} about={nameAt(rows, refusedAt)} />}
          <Input.Wrapper label={t`Direction`} labelElement="div">
            <Segments
              aria-label={t`Direction`}
              fullWidth
              data={[
                { value: 'deposit', label: t`Pay to each` },
                { value: 'withdrawal', label: t`Take from each` },
              ]}
              value={form.values.direction}
              onChange={(direction) => form.setFieldValue('direction', direction)}
            />
          </Input.Wrapper>
          <PeopleChoice
            guildId={guildId}
            onAdd={add}
            unclear={unclear}
            onUnclear={setUnclear}
            error={form.errors.playerIds}
          />
          {rows.length > 0 && (
            <PeopleTable
              rows={rows}
              error={people.error}
              onRemove={remove}
              onClear={() => form.setFieldValue('playerIds', [])}
            />
          )}
          <div className={classes.terms}>
            <TextInput
              id="payout-name"
              label={t`Name`}
              description={t`What it is for; bots and game servers see it, too.`}
              autoComplete="off"
              dir="auto"
              required
              {...form.getInputProps('name')}
            />
            <AmountInput
              id="payout-amount"
              label={t`Amount for each`}
              description={t`With at most 4 decimal places.`}
              required
              {...form.getInputProps('amount')}
            />
          </div>
          <Total values={values} />
          {needsOverdraft && (
            <Checkbox
              label={t`Balances fall below zero. Post it all the same`}
              checked={isOverdraftWanted}
              onChange={(event) => setOverdraftWanted(event.currentTarget.checked)}
            />
          )}
          {refused > 0 && (
            <p className={classes.refused} role="status">
              {plural(refused, {
                one: 'One balance would fall below the lowest that is allowed. Remove this person or take less.',
                other:
                  '# balances would fall below the lowest that is allowed. Remove these people or take less.',
              })}
            </p>
          )}
          <FormButtons
            onCancel={cancel}
            isSaving={posting.isPending}
            label={buttonText(values)}
            isDisabled={unclear.length > 0 || refused > 0 || (needsOverdraft && !isOverdraftWanted)}
          />
        </form>
      )}
    </FormModal>
  );
}

function nameAt(rows: ReturnType<typeof payoutRows>, position: number | undefined): string | undefined {
  const row = position === undefined ? undefined : rows[position];
  return row && (row.person?.name ?? row.playerId);
}

function Total({ values }: { values: PayoutValues }) {
  const total = totalOf(values);
  const count = values.playerIds.length;
  return (
    <dl className={classes.preview} aria-live="polite">
      <div>
        <dt>{plural(count, { one: '# person, in all', other: '# people, in all' })}</dt>
        <dd>{total === undefined ? '–' : formatMoney(total.replace('-', ''))}</dd>
      </div>
    </dl>
  );
}

function buttonText({ direction, playerIds: { length } }: PayoutValues): string {
  if (direction === 'deposit') {
    return length === 0 ? t`Pay` : plural(length, { one: 'Pay # person', other: 'Pay # people' });
  }
  return length === 0
    ? t`Take from each`
    : plural(length, { one: 'Take from # person', other: 'Take from # people' });
}

function focusFirst(errors: object) {
  const first = payoutFields.find((name) => name in errors);
  if (first) document.getElementById(`payout-${first}`)?.focus();
}

function usePayout(guildId: string, onClose: () => void) {
  return usePosting<{ values: PayoutValues; overdraft: boolean }, unknown>({
    guildId,
    post: (session, { values, overdraft }, idempotencyKey) =>
      postTransactions(session, guildId, { transactions: toPosts(values), overdraft, idempotencyKey }),
    onDone: (_balances, { values }) => {
      const total = formatMoney((totalOf(values) ?? '0').replace('-', ''));
      notifications.show({
        title: values.direction === 'deposit' ? t`Paid out` : t`Collected`,
        message: plural(values.playerIds.length, {
          one: `${total} in all, # person`,
          other: `${total} in all, # people`,
        }),
      });
      onClose();
    },
  });
}
