import { t } from '@lingui/core/macro';
import { Kbd, Modal } from '@mantine/core';
import classes from './ShortcutsDialog.module.css';

interface ShortcutsDialogProps {
  shortcuts: readonly { keys: readonly string[]; label: string }[];
  onClose: () => void;
}

/** The list of keyboard shortcuts. */
export function ShortcutsDialog({ shortcuts, onClose }: ShortcutsDialogProps) {
  return (
    <Modal opened onClose={onClose} title={t`Keyboard shortcuts`} centered>
      <dl className={classes.list}>
        {shortcuts.map(({ keys, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
