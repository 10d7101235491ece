import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconDots,
  IconHistory,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import { saveWebhook, testWebhook, type Webhook, webhooksQuery } from '../api/webhooks.ts';
import type { WebhookWork } from './webhook-work.ts';

interface WebhookActionsProps {
  guildId: string;
  webhook: Webhook;
  onWork: (work: WebhookWork) => void;
}

const icon = { size: 16, stroke: 1.7 } as const;

export function WebhookActions({ guildId, webhook, onWork }: WebhookActionsProps) {
  const place = { guildId, webhookId: webhook.id };
  const test = useTest(place);
  const switching = useSwitch(place);
  const isActive = webhook.status === 'active';
  return (
    <Group gap="xs">
      <Button
        variant={isActive && webhook.unreadable === null ? 'filled' : 'default'}
        leftSection={<IconSend {...icon} />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Send a test
      </Button>
      {!isActive && (
        <Button
          leftSection={<IconPlayerPlay {...icon} />}
          loading={switching.isPending}
          onClick={() => switching.mutate('active')}
        >
          Enable
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={18} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onWork({ what: 'edit' })}>
            Change
          </Menu.Item>
          <Menu.Item
            leftSection={<IconHistory {...icon} />}
            disabled={!isActive}
            onClick={() => onWork({ what: 'replay' })}
          >
            Replay
          </Menu.Item>
          {webhook.kind === 'standard' && (
            <Menu.Item leftSection={<IconKey {...icon} />} onClick={() => onWork({ what: 'rotate' })}>
              New secret
            </Menu.Item>
          )}
          {isActive && (
            <Menu.Item
              leftSection={<IconPlayerPause {...icon} />}
              onClick={() => switching.mutate('disabled')}
            >
              Disable
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash {...icon} />}
            onClick={() => onWork({ what: 'delete' })}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

type Place = Parameters<typeof testWebhook>[1];

function useTest(place: Place) {
  const session = useSession();
  const refresh = useRefresh(place.guildId);
  return useMutation({
    mutationFn: () => testWebhook(session, place),
    onSuccess: ({ status, error, durationMs }) =>
      notifications.show(
        error === null
          ? { title: 'The test arrived', message: `Answered with ${status} after ${durationMs} ms.` }
          : { title: 'The test was not accepted', message: error, color: 'red' },
      ),
    onError: ({ message }) => notifications.show({ title: 'No test was sent', message, color: 'red' }),
    onSettled: refresh,
  });
}

function useSwitch(place: Place) {
  const session = useSession();
  const refresh = useRefresh(place.guildId);
  return useMutation({
    mutationFn: (status: Webhook['status']) => saveWebhook(session, place, { status }),
    onSuccess: (_, status) =>
      notifications.show(
        status === 'active'
          ? { title: 'Webhook enabled', message: 'It gets its events from now on.' }
          : { title: 'Webhook disabled', message: 'Nothing is delivered until it is enabled again.' },
      ),
    onError: ({ message }) => notifications.show({ title: 'Nothing was changed', message, color: 'red' }),
    onSettled: refresh,
  });
}

function useRefresh(guildId: string) {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: webhooksQuery(guildId).queryKey });
}
