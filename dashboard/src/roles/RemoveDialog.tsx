import { Button, Group, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { removeRole, rolesQuery } from '../api/roles.ts';
import { Notice } from '../components/Notice.tsx';
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
  const removal = useMutation({
    mutationFn: () => removeRole(session, guild.guildId, grant),
    onSuccess: onClose,
    onSettled: () => queryClient.invalidateQueries({ queryKey: rolesQuery(guild.guildId).queryKey }),
  });
  return (
    <Modal opened onClose={onClose} title="Remove this role?" centered>
      <div className={classes.form}>
        <p className={classes.text}>
          <strong>
            <bdi>{grant.name}</bdi>
          </strong>{' '}
          loses the role at once. Whoever manages the guild on the chat platform, or has a role in another
          way, keeps that.
        </p>
        {removal.isError && (
          <Notice tone="danger" title="Nothing was removed" isAnnounced>
            {removal.error.message}
          </Notice>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red.9" loading={removal.isPending} onClick={() => removal.mutate()}>
            Remove
          </Button>
        </Group>
      </div>
    </Modal>
  );
}
