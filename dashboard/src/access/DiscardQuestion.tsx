import { Button, Group, Modal } from '@mantine/core';
import classes from './FormModal.module.css';

/** Asks before entered values are discarded. Mount it only while it is open. */
export function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <Modal opened onClose={onKeep} title="Discard what you entered?" centered>
      <p className={classes.text}>It has not been saved.</p>
      <Group justify="flex-end">
        <Button variant="default" onClick={onKeep} data-autofocus>
          Keep editing
        </Button>
        <Button color="red.9" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Modal>
  );
}
