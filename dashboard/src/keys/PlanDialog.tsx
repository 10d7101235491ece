import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal } from '@mantine/core';
import { GuildSetup } from '../access/GuildSetup.tsx';
import type { Guild } from '../api/guilds.ts';

interface PlanDialogProps {
  guild: Guild;
  isOpen: boolean;
  onClose: () => void;
}

/** Explains why no key can be created, before a form is filled in. */
export function PlanDialog({ guild, isOpen, onClose }: PlanDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t`This guild has no active plan`} size="lg" centered>
      <GuildSetup guild={guild} />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          <Trans>Understood</Trans>
        </Button>
      </Group>
    </Modal>
  );
}
