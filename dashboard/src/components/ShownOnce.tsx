import { t } from '@lingui/core/macro';
import { Button, CopyButton, Group, Modal } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { lazily } from './lazily.ts';
import { Notice } from './Notice.tsx';
import classes from './ShownOnce.module.css';
import { useIsPhone } from './use-is-narrow.ts';

type ShownKind = 'key' | 'secret' | 'link';

const texts = lazily(
  (): Record<ShownKind, { warning: string; button: string }> => ({
    key: {
      warning: t`Store the key now. It will not be shown again.`,
      button: t({ message: 'I have stored it', context: 'key' }),
    },
    secret: {
      warning: t`Store the secret now. It will not be shown again.`,
      button: t({ message: 'I have stored it', context: 'secret' }),
    },
    link: {
      warning: t`Store the link now. It will not be shown again.`,
      button: t({ message: 'I have stored it', context: 'link' }),
    },
  }),
);

interface ShownOnceProps {
  kind: ShownKind;
  title: string;
  /** The name of the thing that the value belongs to. */
  name: string;
  value: string;
  copyLabel: string;
  /** Instructions for when the value is lost. */
  explanation: string;
  onStored: () => void;
  /** Instructions for its use. */
  children?: ReactNode;
}

/** Shows a secret value once. Only the button closes it: Escape and clicks outside do not. */
export function ShownOnce(props: ShownOnceProps) {
  const { kind, title, name, value, copyLabel, explanation, onStored, children } = props;
  const isPhone = useIsPhone();
  useLeaveWarning();
  return (
    <Modal
      opened
      onClose={onStored}
      title={title}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      size="lg"
      fullScreen={isPhone}
    >
      <div className={classes.form}>
        <Notice tone="warning" title={texts()[kind].warning}>
          {explanation}
        </Notice>
        <div>
          <p className={classes.label}>
            <bdi>{name}</bdi>
          </p>
          <div className={classes.value}>
            <code data-testid="key-value">{value}</code>
            <CopyValue value={value} label={copyLabel} />
          </div>
        </div>
        {children}
        <Group justify="flex-end">
          <Button onClick={onStored}>{texts()[kind].button}</Button>
        </Group>
      </div>
    </Modal>
  );
}

function CopyValue({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value} timeout={2500}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="xs"
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} stroke={1.7} />}
          onClick={copy}
          data-autofocus
        >
          {copied ? t`Copied` : label}
        </Button>
      )}
    </CopyButton>
  );
}

function useLeaveWarning(): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
}
