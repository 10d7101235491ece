import { t } from '@lingui/core/macro';
import { Autocomplete, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { inSentence } from '../texts/in-sentence.ts';
import { type Applied, useDraft } from './use-draft.ts';

interface FilterTextProps {
  label: string;
  value: string;
  onChange: (value: string, applied: Applied) => void;
  placeholder?: string;
  /** Suggestions while typing; other texts can be typed too. */
  suggestions?: readonly string[];
  inputMode?: 'text' | 'decimal';
  /** The value of a text without spaces at its ends; by default the text. */
  toValue?: (text: string) => string;
  /** The text of a value from outside; by default the value. */
  toText?: (value: string) => string;
  /** Returns the error of a value. A value with an error is not applied. */
  faultOf?: (value: string) => string | undefined;
  error?: ReactNode;
}

/** A text filter of a list. It is applied while it is typed, after a short pause, and at once on Enter or when the field is left. */
export function FilterText(props: FilterTextProps) {
  const { label, value, onChange, placeholder = t`Any`, suggestions, inputMode = 'text', error } = props;
  const toValue = (text: string) => props.toValue?.(text.trim()) ?? text.trim();
  const draft = useDraft(
    value,
    (next, applied) => {
      if (props.faultOf?.(next) === undefined) onChange(next, applied);
    },
    toValue,
    props.toText,
  );
  const field = {
    label,
    placeholder,
    inputMode,
    error: props.faultOf?.(toValue(draft.text)) ?? error,
    value: draft.text,
    autoComplete: 'off',
    spellCheck: false,
    onBlur: draft.commit,
  };
  if (suggestions === undefined) {
    return (
      <TextInput
        {...field}
        onChange={(event) => draft.type(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && draft.commit()}
      />
    );
  }
  return (
    <Autocomplete
      {...field}
      dir="auto"
      data={[...suggestions]}
      onChange={draft.type}
      onOptionSubmit={draft.commitText}
      onClear={() => draft.commitText('')}
      onKeyDown={(event) => event.key === 'Enter' && draft.commit()}
      comboboxProps={{ shadow: 'md' }}
      clearable
      clearButtonProps={{ 'aria-label': t`Clear ${inSentence(label)}` }}
    />
  );
}
