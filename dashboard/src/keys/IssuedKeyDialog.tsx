import { Button, CopyButton, Group, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect } from 'react';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { Notice } from '../components/Notice.tsx';
import classes from './Dialogs.module.css';
import { exampleRequest } from './example-request.ts';
import type { IssuedKey } from './issued-key-context.ts';

interface IssuedKeyDialogProps {
  issued: IssuedKey;
  onStored: () => void;
}

/** A new key's value, this once. Neither Escape nor a stray click closes it; only the stated word does. */
export function IssuedKeyDialog({ issued, onStored }: IssuedKeyDialogProps) {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  useLeaveWarning();
  return (
    <Modal
      opened
      onClose={onStored}
      title="Your new key"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      size="lg"
      fullScreen={isPhone}
    >
      <div className={classes.form}>
        <Notice tone="warning" title="Store it now. It will not be shown again.">
          Guildbook keeps only a fingerprint of the key. If it is lost, delete the key and create another.
        </Notice>
        <div>
          <p className={classes.label}>
            <bdi>{issued.name}</bdi>
          </p>
          <div className={classes.value}>
            <code data-testid="key-value">{issued.value}</code>
            <CopyKey value={issued.value} />
          </div>
        </div>
        <div>
          <p className={classes.label}>Try it</p>
          <CodeBlock
            code={exampleRequest(window.location.origin, issued.value, issued.scopes)}
            language="shell"
            copyLabel="Copy the request"
          />
        </div>
        <Group justify="flex-end">
          <Button onClick={onStored}>I have stored it</Button>
        </Group>
      </div>
    </Modal>
  );
}

function CopyKey({ value }: { value: string }) {
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
          {copied ? 'Copied' : 'Copy key'}
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
