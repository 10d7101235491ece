import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import classes from './UndoNotice.module.css';

/** How long a notification offers to undo. */
export const undoMs = 12_000;

/** The content of a notification about a deletion. */
export function UndoNotice({ name, onUndo }: { name: string; onUndo: () => void }) {
  return (
    <div className={classes.undo}>
      <bdi className={classes.name}>{name}</bdi>
      <Button size="compact-sm" variant="default" onClick={onUndo}>
        <Trans>Undo</Trans>
      </Button>
    </div>
  );
}
