import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconAdjustments, IconChartBar, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ApiKey } from '../api/keys.ts';
import { lazily } from '../components/lazily.ts';
import classes from './KeyActions.module.css';

/** The actions on a key of the list. */
export type KeyAction = 'settings' | 'rotate' | 'usage' | 'delete';

export type OnKeyAction = (action: KeyAction, key: ApiKey) => void;

const actions = lazily(
  () =>
    [
      { action: 'usage', label: t`Usage`, Icon: IconChartBar },
      { action: 'settings', label: t`Settings`, Icon: IconAdjustments },
    ] as const,
);

interface KeyActionsProps {
  apiKey: ApiKey;
  /** Rotating needs the right on the chat platform. */
  mayRotate: boolean;
  onAction: OnKeyAction;
}

export function KeyActions({ apiKey, mayRotate, onAction }: KeyActionsProps) {
  return (
    <div className={classes.actions}>
      {mayRotate && apiKey.state !== 'expired' && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={14} stroke={1.8} />}
          aria-label={t`Rotate the key ${apiKey.name}`}
          onClick={() => onAction('rotate', apiKey)}
        >
          <Trans>Rotate</Trans>
        </Button>
      )}
      <KeyMenu apiKey={apiKey} onAction={onAction} />
    </div>
  );
}

function KeyMenu({ apiKey, onAction }: Omit<KeyActionsProps, 'mayRotate'>) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for the key ${apiKey.name}`}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions().map(({ action, label, Icon }) => (
          <Menu.Item
            key={action}
            leftSection={<Icon size={16} stroke={1.7} />}
            onClick={() => onAction(action, apiKey)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} stroke={1.7} />}
          onClick={() => onAction('delete', apiKey)}
        >
          <Trans>Delete</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
