import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal } from '@mantine/core';
import { DialogButtons } from '../components/DialogButtons.tsx';
import classes from './FormModal.module.css';

/** Asks before entered values are discarded. Mount it only while it is open. */
export function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <Modal opened onClose={onKeep} title={t`Discard what you entered?`} centered>
      <p className={classes.text}>
        <Trans>It has not been saved.</Trans>
      </p>
      <DialogButtons>
        <Button variant="default" onClick={onKeep} data-autofocus>
          <Trans>Keep editing</Trans>
        </Button>
        <Button color="red.9" onClick={onDiscard}>
          <Trans>Discard</Trans>
        </Button>
      </DialogButtons>
    </Modal>
  );
}
