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
      title="The secret"
      name={name}
      value={secret}
      copyLabel="Copy secret"
      explanation="Guildbook keeps it encrypted and never shows it again. If it is lost, make a new one."
      onStored={onStored}
    >
      <p className={classes.text}>
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
      </p>
    </ShownOnce>
  );
}
