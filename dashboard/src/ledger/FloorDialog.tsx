import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormModal } from '../access/FormModal.tsx';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { type PlayerDetails, putFloor } from '../api/players.ts';
import { AmountInput } from '../components/AmountInput.tsx';
import { FormButtons } from '../components/FormButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { typedAmount } from '../components/typed-amount.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './CorrectionDialog.module.css';
import { floorFault, floorFormId, floorOf } from './floor-form.ts';

interface FloorDialogProps {
  guild: Guild;
  player: PlayerDetails;
  onClose: () => void;
}

/** Sets the lowest balance that a withdrawal may leave on an account. */
export function FloorDialog({ guild, player, onClose }: FloorDialogProps) {
  const isPhone = useIsPhone();
  const session = useSession();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { floor: typedAmount(player.floor ?? '') },
    validate: { floor: floorFault },
    validateInputOnChange: true,
  });
  const saving = useMutation({
    mutationFn: ({ floor }: { floor: string }) =>
      putFloor(session, guild.guildId, { playerId: player.playerId, floor: floorOf(floor) }),
    onSuccess: () => {
      notifications.show({ title: t`Limit saved`, message: t`Withdrawals keep to it from now on.` });
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['guilds', guild.guildId] }),
  });
  return (
    <FormModal
      form={form}
      formId={floorFormId(player.playerId)}
      onClose={onClose}
      title={t`Lowest balance`}
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form className={classes.form} noValidate onSubmit={form.onSubmit((values) => saving.mutate(values))}>
          <p className={classes.text}>
            <Trans>
              Withdrawals and payments of <bdi>{player.username ?? player.playerId}</bdi> may not leave less
              than this. Without one, the guild’s setting counts.
            </Trans>
          </p>
          {saving.isError && (
            <Notice tone="danger" title={t`Nothing was changed`} isAnnounced>
              {saving.error.message}
            </Notice>
          )}
          <AmountInput
            label={t`Lowest balance`}
            description={t`Such as 0, 250 or -500. Leave it empty for the guild’s setting.`}
            data-autofocus
            {...form.getInputProps('floor')}
          />
          <FormButtons onCancel={cancel} isSaving={saving.isPending} />
        </form>
      )}
    </FormModal>
  );
}
