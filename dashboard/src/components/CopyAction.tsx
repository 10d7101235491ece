import { t } from '@lingui/core/macro';
import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Hint } from './Hint.tsx';

interface CopyActionProps {
  value: string;
  /** Names the copied text, for example "Copy the response body". */
  label: string;
}

export function CopyAction({ value, label }: CopyActionProps) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Hint label={copied ? t`Copied` : label}>
          {(target) => (
            <ActionIcon
              {...target}
              variant="subtle"
              color={copied ? 'spruce' : 'gray'}
              size="sm"
              aria-label={copied ? t`Copied` : label}
              onClick={copy}
            >
              {copied ? <IconCheck size={15} /> : <IconCopy size={15} stroke={1.7} />}
            </ActionIcon>
          )}
        </Hint>
      )}
    </CopyButton>
  );
}
