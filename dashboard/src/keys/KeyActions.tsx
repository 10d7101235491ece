import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustments, IconChartBar, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ApiKey } from '../api/keys.ts';

/** The actions on a key of the list. */
export type KeyAction = 'settings' | 'rotate' | 'usage' | 'delete';

export type OnKeyAction = (action: KeyAction, key: ApiKey) => void;

const actions = [
  { action: 'usage', label: 'Usage', Icon: IconChartBar },
  { action: 'settings', label: 'Settings', Icon: IconAdjustments },
  { action: 'rotate', label: 'New value', Icon: IconRefresh },
] as const;

interface KeyActionsProps {
  apiKey: ApiKey;
  /** Rotating needs the right on the chat platform. */
  mayRotate: boolean;
  onAction: OnKeyAction;
}

export function KeyActions({ apiKey, mayRotate, onAction }: KeyActionsProps) {
  const isExpired = apiKey.state === 'expired';
  const offered = actions.filter(({ action }) => action !== 'rotate' || mayRotate);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for the key ${apiKey.name}`}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(({ action, label, Icon }) => (
          <Menu.Item
            key={action}
            leftSection={<Icon size={16} stroke={1.7} />}
            disabled={action === 'rotate' && isExpired}
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
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
