import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { removeRole, rolesQuery, saveRole } from '../api/roles.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { UndoNotice, undoMs } from '../components/UndoNotice.tsx';
import type { Grant } from './grant-form.ts';
import classes from './Roles.module.css';

interface RemoveDialogProps {
  guild: Guild;
  grant: Grant;
  onClose: () => void;
}

export function RemoveDialog({ guild, grant, onClose }: RemoveDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  const restore = useRestoring(guild, grant);
  const removal = useMutation({
    mutationFn: () => removeRole(session, guild.guildId, grant),
    onSuccess: () => {
      const noticeId = notifications.show({
        title: t`Role removed`,
        message: <UndoNotice name={grant.label} onUndo={() => restore(noticeId)} />,
        autoClose: undoMs,
      });
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: rolesQuery(guild.guildId).queryKey }),
  });
  return (
    <Modal opened onClose={onClose} title={t`Remove this role?`} centered>
      <div className={classes.form}>
        <p className={classes.text}>
          <Trans>
            <strong>
              <bdi>{grant.label}</bdi>
            </strong>{' '}
            loses the role at once. Whoever manages the guild on the chat platform, or has a role in another
            way, keeps that.
          </Trans>
        </p>
        {removal.isError && (
          <Notice tone="danger" title={t`Nothing was removed`} isAnnounced>
            {removal.error.message}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose} data-autofocus>
            <Trans>Keep it</Trans>
          </Button>
          <Button color="red.9" loading={removal.isPending} onClick={() => removal.mutate()}>
            <Trans>Remove</Trans>
          </Button>
        </DialogButtons>
      </div>
    </Modal>
  );
}

/** Gives the role again. The audit log has both changes. */
function useRestoring(guild: Guild, { kind, id, name, label, role }: Grant) {
  const session = useSession();
  const queryClient = useQueryClient();
  return async (noticeId: string) => {
    notifications.hide(noticeId);
    try {
      await saveRole(session, guild.guildId, { kind, id, role, ...(kind === 'chat-roles' && { name }) });
      notifications.show({ title: t`Role restored`, message: label });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: 'red', title: t`The role was not restored`, message });
    }
    await queryClient.invalidateQueries({ queryKey: rolesQuery(guild.guildId).queryKey });
  };
}
