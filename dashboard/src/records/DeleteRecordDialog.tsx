import { Button, Group, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import { deleteRecord, type GuildRecord, recordQuery } from '../api/records.ts';
import { Notice } from '../components/Notice.tsx';
import { useShownRecord } from '../components/use-shown-record.ts';
import classes from './RecordDialog.module.css';
import { shortDay } from './record-date.ts';
import { capitalized, type RecordKind } from './record-kinds.ts';

interface DeleteRecordDialogProps {
  kind: RecordKind;
  guildId: string;
  record: GuildRecord;
  onClose: () => void;
}

export function DeleteRecordDialog({ kind, guildId, record, onClose }: DeleteRecordDialogProps) {
  const deletion = useDeletion({ kind, guildId, record, onClose });
  return (
    <Modal opened onClose={onClose} title={`Delete this ${kind.noun}?`} centered>
      <div className={classes.form}>
        <p className={classes.text}>
          The {kind.noun} of{' '}
          <strong>
            <bdi>{record.name}</bdi>
          </strong>{' '}
          on {shortDay(record.date)} (<bdi>{record.id}</bdi>) will be gone for everybody, bots included. What
          it held stays readable in the audit log.
        </p>
        {deletion.isError && (
          <Notice tone="danger" title={`The ${kind.noun} was not deleted`} isAnnounced>
            {deletion.error.message}
          </Notice>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep the {kind.noun}
          </Button>
          <Button color="red.9" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            Delete {kind.noun}
          </Button>
        </Group>
      </div>
    </Modal>
  );
}

function useDeletion({ kind, guildId, record, onClose }: DeleteRecordDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  const { hide } = useShownRecord();
  return useMutation({
    mutationFn: () => deleteRecord({ session, guildId, path: kind.path }, record.id),
    onSuccess: () => {
      notifications.show({ title: `${capitalized(kind.noun)} deleted`, message: record.name });
      onClose();
      hide();
      queryClient.removeQueries({ queryKey: recordQuery(guildId, kind.path, record.id).queryKey });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['guilds', guildId] }),
  });
}
