import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';

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
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
      <Button type="submit" loading={isSaving} disabled={isDisabled}>
        {label}
      </Button>
    </Group>
  );
}
