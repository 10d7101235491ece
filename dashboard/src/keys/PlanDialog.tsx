import { Button, Group, Modal } from '@mantine/core';
import { GuildSetup } from '../access/GuildSetup.tsx';
import type { Guild } from '../api/guilds.ts';

interface PlanDialogProps {
  guild: Guild;
  isOpen: boolean;
  onClose: () => void;
}

/** Says why no key can be made, before anything is filled in for nothing. */
export function PlanDialog({ guild, isOpen, onClose }: PlanDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="This guild has no active plan" size="lg" centered>
      <GuildSetup guild={guild} />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          Understood
        </Button>
      </Group>
    </Modal>
  );
}
