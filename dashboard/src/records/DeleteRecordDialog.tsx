import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import { createRecord, deleteRecord, isChangedMeanwhile, type TaggedRecord } from '../api/records.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { shortDay } from '../components/record-days.ts';
import { UndoNotice, undoMs } from '../components/UndoNotice.tsx';
import { useShownRecord } from '../components/use-shown-record.ts';
import classes from './RecordDialog.module.css';
import type { RecordKind } from './record-kinds.ts';

interface DeleteRecordDialogProps {
  kind: RecordKind;
  guildId: string;
  record: TaggedRecord;
  onClose: () => void;
  /** The details must not request the record while it is being deleted: they would say that it is gone before they close. */
  onDeleting: (isDeleting: boolean) => void;
}

export function DeleteRecordDialog(props: DeleteRecordDialogProps) {
  const { kind, record, onClose } = props;
  const deletion = useDeletion(props);
  return (
    <Modal opened onClose={onClose} title={kind.texts.deleteQuestion} centered>
      <div className={classes.form}>
        <p className={classes.text}>
          <Consequence kind={kind} record={record} />
        </p>
        {deletion.isError && (
          <Notice tone="danger" title={kind.texts.notDeleted} isAnnounced>
            {isChangedMeanwhile(deletion.error)
              ? t`Somebody changed it meanwhile. Close this, look at it again, then decide.`
              : deletion.error.message}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose} data-autofocus>
            {kind.texts.keepIt}
          </Button>
          <Button color="red.9" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            {kind.texts.deleteIt}
          </Button>
        </DialogButtons>
      </div>
    </Modal>
  );
}

function useDeletion({ kind, guildId, record, onClose, onDeleting }: DeleteRecordDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  const { hide } = useShownRecord();
  const restore = useRestoring({ kind, guildId, record });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['guilds', guildId] });
  return useMutation({
    onMutate: () => onDeleting(true),
    mutationFn: () => deleteRecord({ session, guildId, path: kind.path }, record),
    onSuccess: () => {
      const noticeId = notifications.show({
        title: kind.texts.deleted,
        message: <UndoNotice name={record.name} onUndo={() => restore(noticeId)} />,
        autoClose: undoMs,
      });
      onClose();
      hide();
      return refresh();
    },
    onError: () => {
      onDeleting(false);
      return refresh();
    },
  });
}

/** Adds a deleted record again with the same id and fields. The audit log has both changes. */
function useRestoring({ kind, guildId, record }: Omit<DeleteRecordDialogProps, 'onClose' | 'onDeleting'>) {
  const session = useSession();
  const queryClient = useQueryClient();
  return async (noticeId: string) => {
    const { tag: _tag, ...fields } = record;
    const own = kind.fields.map(({ name }) => [name, fields[name]]);
    const body = { ...Object.fromEntries(own), id: fields.id, date: fields.date };
    notifications.hide(noticeId);
    try {
      await createRecord({ session, guildId, path: kind.path }, body);
      notifications.show({ title: kind.texts.restored, message: record.name });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: 'red', title: kind.texts.notRestored, message });
    }
    await queryClient.invalidateQueries({ queryKey: ['guilds', guildId] });
  };
}

function Consequence({ kind, record }: Pick<DeleteRecordDialogProps, 'kind' | 'record'>) {
  const name = (
    <strong>
      <bdi>{record.name}</bdi>
    </strong>
  );
  const id = <bdi>{record.id}</bdi>;
  const day = shortDay(record.date);
  return kind.auditKind === 'discharge' ? (
    <Trans>
      The discharge of {name} on {day} ({id}) will be gone for everybody, bots included. What it held stays
      readable in the audit log.
    </Trans>
  ) : (
    <Trans>
      The transfer of {name} on {day} ({id}) will be gone for everybody, bots included. What it held stays
      readable in the audit log.
    </Trans>
  );
}
