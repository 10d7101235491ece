import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconLink } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Command } from '../api/commands.ts';
import { Breakable } from '../components/Breakable.tsx';
import { listText } from '../components/language-formats.ts';
import classes from './CommandsPage.module.css';
import { commandAddress } from './catalogue.ts';

interface CommandRowProps {
  command: Command;
  /** The address names this command: it is expanded and scrolled into view. */
  isTarget: boolean;
}

export function CommandRow({ command, isTarget }: CommandRowProps) {
  const [isOpen, setOpen] = useState(isTarget);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setOpen(true);
    row.current?.scrollIntoView({ block: 'center', behavior: 'instant' });
    row.current?.querySelector('summary')?.focus({ preventScroll: true });
  }, [isTarget]);
  return (
    <li ref={row} data-target={isTarget || undefined}>
      <details
        className={classes.details}
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary className={classes.row}>
          <code className={classes.name}>{command.name}</code>
          <span className={classes.description} dir="auto">
            <Breakable>{command.description}</Breakable>
          </span>
        </summary>
        <div className={classes.more}>
          {command.extendedHelp !== '' && (
            <p className={classes.help} dir="auto">
              <Breakable>{command.extendedHelp}</Breakable>
            </p>
          )}
          {command.preconditions.length > 0 && (
            <p className={classes.conditions}>
              <Trans>Needs: {listText(command.preconditions)}</Trans>
            </p>
          )}
          <CopyLink name={command.name} />
        </div>
      </details>
    </li>
  );
}

function CopyLink({ name }: { name: string }) {
  return (
    <CopyButton value={`${window.location.origin}/dashboard${commandAddress(name)}`} timeout={1500}>
      {({ copied, copy }) => (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.copy ?? ''}
          leftSection={copied ? <IconCheck size={14} /> : <IconLink size={14} stroke={1.8} />}
          aria-label={copied ? t`Copied` : t`Copy the link to ${name}`}
          onClick={copy}
        >
          {copied ? t`Copied` : t`Copy link`}
        </Button>
      )}
    </CopyButton>
  );
}
