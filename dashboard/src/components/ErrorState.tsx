import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import classes from './States.module.css';

interface ErrorStateProps {
  title: string;
  detail: string;
  onRetry: () => void;
  isRetrying?: boolean;
}

export function ErrorState({ title, detail, onRetry, isRetrying = false }: ErrorStateProps) {
  return (
    <div className={classes.state} role="alert">
      <IconAlertTriangle size={28} stroke={1.6} className={classes.danger} aria-hidden="true" />
      <p className={classes.title}>{title}</p>
      <p className={classes.text}>{detail}</p>
      <Button
        variant="default"
        size="sm"
        mt="sm"
        leftSection={<IconRefresh size={16} />}
        loading={isRetrying}
        onClick={onRetry}
      >
        <Trans>Try again</Trans>
      </Button>
    </div>
  );
}
