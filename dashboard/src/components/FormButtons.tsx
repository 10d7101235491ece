import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { DialogButtons } from './DialogButtons.tsx';

interface FormButtonsProps {
  onCancel: () => void;
  isSaving: boolean;
  /** The label of the submit button. */
  label?: string;
  isDisabled?: boolean;
}

/** The buttons at the end of a form in a dialog. */
export function FormButtons({ onCancel, isSaving, label = t`Save`, isDisabled = false }: FormButtonsProps) {
  return (
    <DialogButtons>
      <Button variant="default" onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
      <Button type="submit" loading={isSaving} disabled={isDisabled}>
        {label}
      </Button>
    </DialogButtons>
  );
}
