import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
import { failureText } from './failure-texts.ts';
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
        <Trans>Send a test</Trans>
      </Button>
      {!isActive && (
        <Button
          leftSection={<IconPlayerPlay {...icon} />}
          loading={switching.isPending}
          onClick={() => switching.mutate('active')}
        >
          <Trans>Enable</Trans>
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t`More actions`}>
            <IconDots size={18} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onWork({ what: 'edit' })}>
            <Trans>Change</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconHistory {...icon} />}
            disabled={!isActive}
            onClick={() => onWork({ what: 'replay' })}
          >
            <Trans>Replay</Trans>
          </Menu.Item>
          {webhook.kind === 'standard' && (
            <Menu.Item leftSection={<IconKey {...icon} />} onClick={() => onWork({ what: 'rotate' })}>
              <Trans>New secret</Trans>
            </Menu.Item>
          )}
          {isActive && (
            <Menu.Item
              leftSection={<IconPlayerPause {...icon} />}
              onClick={() => switching.mutate('disabled')}
            >
              <Trans>Disable</Trans>
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash {...icon} />}
            onClick={() => onWork({ what: 'delete' })}
          >
            <Trans>Delete</Trans>
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
          ? {
              title: t`The test arrived`,
              message: t`Answered with ${String(status)} after ${durationMs} ms.`,
            }
          : { title: t`The test was not accepted`, message: failureText(error), color: 'red' },
      ),
    onError: ({ message }) => notifications.show({ title: t`No test was sent`, message, color: 'red' }),
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
          ? { title: t`Webhook enabled`, message: t`It gets its events from now on.` }
          : { title: t`Webhook disabled`, message: t`Nothing is delivered until it is enabled again.` },
      ),
    onError: ({ message }) => notifications.show({ title: t`Nothing was changed`, message, color: 'red' }),
    onSettled: refresh,
  });
}

function useRefresh(guildId: string) {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: webhooksQuery(guildId).queryKey });
}
