import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LeaveGuard } from '../access/LeaveGuard.tsx';
import { RestoredNotice } from '../access/RestoredNotice.tsx';
import { useSession } from '../access/session-context.ts';
import { useFormDraft } from '../access/use-form-draft.ts';
import { type Board, type BoardChange, boardQuery, saveBoard } from '../api/board.ts';
import { AmountInput } from '../components/AmountInput.tsx';
import { Notice } from '../components/Notice.tsx';
import classes from './Board.module.css';
import { BoardAddress } from './BoardAddress.tsx';
import { BoardPreview } from './BoardPreview.tsx';
import { amountFault, type BoardValues, nameFault, toChange, toParts, toValues } from './board-form.ts';

export function BoardForm({ guildId, board }: { guildId: string; board: Board }) {
  const form = useForm<BoardValues>({
    initialValues: toValues(board),
    validate: {
      name: nameFault,
      movesMin: amountFault,
    },
  });
  const isRestored = useFormDraft('board', form);
  const saving = useSaving(guildId, () => form.resetDirty());
  const { values } = form;
  const flag = (name: 'names' | 'leaderboard' | 'totals' | 'chart' | 'moves' | 'commands' | 'isPublished') =>
    form.getInputProps(name, { type: 'checkbox' });
  return (
    <div className={classes.columns}>
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit((wanted) => saving.mutate(toChange(wanted)))}
      >
        <LeaveGuard isDirty={form.isDirty()} />
        {isRestored && form.isDirty() && <RestoredNotice />}
        {saving.isError && (
          <Notice tone="danger" title={t`Nothing was changed`} isAnnounced>
            {saving.error.message}
          </Notice>
        )}
        <fieldset className={classes.group}>
          <legend className={classes.legend}>
            <Trans>Address</Trans>
          </legend>
          {board.name === null ? (
            <TextInput
              label={t`Name`}
              description={t`The page is at ${addressOf(values.name || 'name')}. The name is chosen once and cannot be changed later.`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.getInputProps('name')}
            />
          ) : (
            <BoardAddress address={addressOf(board.name)} isPublished={board.isPublished} />
          )}
          <Switch
            label={t`Published`}
            description={t`Everybody can open the page. When you switch it off, it is gone within a second.`}
            {...flag('isPublished')}
          />
        </fieldset>
        <fieldset className={classes.group}>
          <legend className={classes.legend}>
            <Trans>Parts</Trans>
          </legend>
          <Switch
            label={t`Totals`}
            description={t`The sum of all balances, the number of accounts and of transactions.`}
            {...flag('totals')}
          />
          <Switch
            label={t`Chart`}
            description={t`Deposits and withdrawals of each of the last 90 days.`}
            {...flag('chart')}
          />
          <Switch
            label={t`Leaderboard`}
            description={t`The ten largest balances.`}
            {...flag('leaderboard')}
          />
          <Switch label={t`Last moves`} description={t`The newest large transactions.`} {...flag('moves')} />
          {values.moves && (
            <AmountInput
              label={t`Smallest amount`}
              description={t`Smaller deposits and withdrawals are not shown.`}
              classNames={{ wrapper: classes.short ?? '' }}
              {...form.getInputProps('movesMin')}
            />
          )}
          <Switch
            label={t`Commands`}
            description={t`The commands of the bot, with their descriptions.`}
            {...flag('commands')}
          />
        </fieldset>
        <fieldset className={classes.group}>
          <legend className={classes.legend}>
            <Trans>Names</Trans>
          </legend>
          <Switch
            label={t`Names of players`}
            description={t`On the leaderboard and beside moves, with the texts of transactions. Otherwise there are places and amounts only.`}
            {...flag('names')}
          />
        </fieldset>
        <div className={classes.save} data-dirty={form.isDirty() || undefined}>
          <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
            {values.isPublished && !board.isPublished ? t`Publish board` : t`Save board`}
          </Button>
          {form.isDirty() && (
            <p className={classes.unsaved}>
              <Trans>Not saved yet.</Trans>
            </p>
          )}
        </div>
      </form>
      <BoardPreview guildId={guildId} parts={toParts(values)} />
    </div>
  );
}

/** The address of a board, as visitors of this page would write it. */
function addressOf(name: string): string {
  return `${window.location.origin}/board/${name}`;
}

function useSaving(guildId: string, onSaved: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: BoardChange) => saveBoard(session, guildId, change),
    onSuccess: (_nothing, { isPublished }) => {
      onSaved();
      notifications.show({
        title: t`Board saved`,
        message: isPublished ? t`Everybody can open it now.` : t`Nobody can open it.`,
      });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: boardQuery(guildId).queryKey, exact: true }),
  });
}
