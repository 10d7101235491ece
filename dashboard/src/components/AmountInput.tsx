import { t } from '@lingui/core/macro';
import { TextInput, type TextInputProps } from '@mantine/core';
import { understoodAmount } from './typed-amount.ts';

/** A field for an amount, in the language of the page. It shows the amount as it was understood when the signs of the language can be misread. */
export function AmountInput({ description, ...props }: TextInputProps) {
  const understood = understoodAmount(String(props.value ?? ''));
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      description={understood === undefined ? description : t`Understood as ${understood}`}
      {...props}
    />
  );
}
