import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { DiscardQuestion } from './DiscardQuestion.tsx';
import classes from './FormModal.module.css';
import { RestoredNotice } from './RestoredNotice.tsx';
import { type DraftableForm, useFormDraft } from './use-form-draft.ts';

interface FormModalProps<Values> extends Omit<ModalProps, 'children' | 'form' | 'onClose' | 'opened'> {
  form: DraftableForm<Values>;
  /** Identifies the form within the guild, such as `keys/new`. Its draft is stored under this id. */
  formId: string;
  /** Closes the form without asking; called by the form after it was submitted. */
  onClose: () => void;
  /** Gets the function for Cancel, which asks before it discards entered values. */
  children: (cancel: () => void) => ReactNode;
}

/**
 * A dialog with a form. Escape, the close button and Cancel ask before they discard entered values. When the session
 * ends while the form is open, the values are kept as a draft and restored after the next sign-in: see `useHasDraft`.
 */
export function FormModal<Values>({ form, formId, onClose, children, ...modal }: FormModalProps<Values>) {
  const isRestored = useFormDraft(formId, form);
  const [isAsking, setAsking] = useState(false);
  const cancel = () => (form.isDirty() ? setAsking(true) : onClose());
  return (
    <>
      <Modal
        {...modal}
        opened
        onClose={cancel}
        closeOnClickOutside={!form.isDirty()}
        closeOnEscape={!isAsking}
        trapFocus={!isAsking}
      >
        {isRestored && (
          <div className={classes.restored}>
            <RestoredNotice />
          </div>
        )}
        {children(cancel)}
      </Modal>
      {/* Mounted only while it is open: otherwise the Escape that opens it would close it again. */}
      {isAsking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </>
  );
}
