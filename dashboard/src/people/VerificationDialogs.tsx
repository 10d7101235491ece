import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormModal } from '../access/FormModal.tsx';
import { useSession } from '../access/session-context.ts';
import { linkMember, type Member, unlinkMember } from '../api/members.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { FormButtons } from '../components/FormButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { linkFormId } from './link-form.ts';
import classes from './People.module.css';

interface DialogProps {
  guildId: string;
  member: Member;
  onClose: () => void;
}

const needed = (text: string) => (text.trim() === '' ? t`Needed` : null);

/** Links a player to a chat account. */
export function LinkDialog({ guildId, member, onClose }: DialogProps) {
  const form = useForm({
    initialValues: { chatId: member.chatId ?? '', username: member.username ?? member.name ?? '' },
    validate: { chatId: needed, username: needed },
  });
  const session = useSession();
  const saving = useChange(guildId, onClose, (values: { chatId: string; username: string }) =>
    linkMember({ session, guildId, playerId: member.playerId }, values),
  );
  return (
    <FormModal
      form={form}
      formId={linkFormId(member.playerId)}
      onClose={onClose}
      title={t`Who is player ${member.playerId}?`}
    >
      {(cancel) => (
        <form
          className={classes.form}
          noValidate
          onSubmit={form.onSubmit(({ chatId, username }) =>
            saving.mutate({ chatId: chatId.trim(), username: username.trim() }),
          )}
        >
          {saving.isError && <Fault error={saving.error} />}
          <p className={classes.text}>
            <Trans>Verifications count in every guild of this service.</Trans>
          </p>
          <TextInput
            label={t`Chat id`}
            required
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('chatId')}
          />
          <TextInput
            label={t`User name`}
            required
            autoComplete="off"
            dir="auto"
            {...form.getInputProps('username')}
          />
          <FormButtons onCancel={cancel} isSaving={saving.isPending} />
        </form>
      )}
    </FormModal>
  );
}

/** Deletes a verification. */
export function UnlinkDialog({ guildId, member, onClose }: DialogProps) {
  const session = useSession();
  const removal = useChange(guildId, onClose, () =>
    unlinkMember({ session, guildId, playerId: member.playerId }),
  );
  return (
    <Modal opened onClose={onClose} title={t`Unlink this person?`} centered>
      <div className={classes.form}>
        <p className={classes.text}>
          <Trans>
            <bdi>{member.username}</bdi> is no longer verified in any guild of this service, and former
            accounts are forgotten. Money and records stay.
          </Trans>
        </p>
        {removal.isError && <Fault error={removal.error} />}
        <DialogButtons>
          <Button variant="default" onClick={onClose} data-autofocus>
            <Trans>Keep</Trans>
          </Button>
          <Button color="red.9" loading={removal.isPending} onClick={() => removal.mutate(undefined)}>
            <Trans>Unlink</Trans>
          </Button>
        </DialogButtons>
      </div>
    </Modal>
  );
}

function useChange<Input>(guildId: string, onClose: () => void, change: (input: Input) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation<void, Error, Input>({
    mutationFn: change,
    onSuccess: () => {
      notifications.show({ title: t`Verification changed`, message: t`The audit log says by whom.` });
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['guilds', guildId] }),
  });
}

function Fault({ error }: { error: Error }) {
  return (
    <Notice tone="danger" title={t`Nothing was changed`} isAnnounced>
      {error.message}
    </Notice>
  );
}
