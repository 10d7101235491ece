import { Button, Group, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { type PlayerDetails, putFloor } from '../api/players.ts';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './CorrectionDialog.module.css';
import { floorFault, floorOf } from './floor-form.ts';

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
  const [floor, setFloor] = useState(player.floor ?? '');
  const fault = floorFault(floor);
  const saving = useMutation({
    mutationFn: () => putFloor(session, guild.guildId, { playerId: player.playerId, floor: floorOf(floor) }),
    onSuccess: () => {
      notifications.show({ title: 'Limit saved', message: 'Withdrawals keep to it from now on.' });
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['guilds', guild.guildId] }),
  });
  return (
    <Modal opened onClose={onClose} title="Lowest balance" fullScreen={isPhone}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (fault === null) saving.mutate();
        }}
      >
        <p className={classes.text}>
          Withdrawals and payments of <bdi>{player.username ?? player.playerId}</bdi> may not leave less than
          this. Without one, the guild’s setting counts.
        </p>
        {saving.isError && (
          <Notice tone="danger" title="Nothing was changed" isAnnounced>
            {saving.error.message}
          </Notice>
        )}
        <TextInput
          label="Lowest balance"
          description="Such as 0, 250 or -500. Leave it empty for the guild’s setting."
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          value={floor}
          error={fault}
          onChange={(event) => setFloor(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
