import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { ShownOnce } from '../components/ShownOnce.tsx';
import classes from './Webhooks.module.css';

interface SecretDialogProps {
  name: string;
  secret: string;
  onStored: () => void;
}

/** Shows the secret of a webhook once. */
export function SecretDialog({ name, secret, onStored }: SecretDialogProps) {
  return (
    <ShownOnce
      kind="secret"
      title={t`The secret`}
      name={name}
      value={secret}
      copyLabel={t`Copy secret`}
      explanation={t`Guildbook keeps it encrypted and never shows it again. If it is lost, make a new one.`}
      onStored={onStored}
    >
      <p className={classes.text}>
        <Trans>
          Your program checks with it that a delivery comes from Guildbook. Any library for{' '}
          <Anchor
            href="https://www.standardwebhooks.com"
            rel="noreferrer"
            target="_blank"
            underline="always"
            inherit
          >
            Standard Webhooks
          </Anchor>{' '}
          takes it as it is.
        </Trans>
      </p>
    </ShownOnce>
  );
}
