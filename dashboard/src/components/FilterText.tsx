import { Autocomplete, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDraft } from './use-draft.ts';

interface FilterTextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  /** Suggestions while typing; other texts can be typed too. */
  suggestions?: readonly string[];
  inputMode?: 'text' | 'decimal';
  /** Returns the error of a text. A text with an error is not applied. */
  faultOf?: (text: string) => string | undefined;
  error?: ReactNode;
  /** Applies the text while it is being typed, after a short pause: each prefix of a search is a valid search. */
  isSearch?: boolean;
}

/** A text filter of a list. It is applied on Enter, when the field loses the focus, and when a suggestion is chosen. */
export function FilterText(props: FilterTextProps) {
  const { label, value, onChange, placeholder = 'Any', suggestions, inputMode = 'text', error } = props;
  const faultOf = (text: string) => props.faultOf?.(text.trim());
  const draft = useDraft(value, (text) => faultOf(text) === undefined && onChange(text.trim()), {
    isPatient: props.isSearch !== true,
  });
  const field = {
    label,
    placeholder,
    inputMode,
    error: faultOf(draft.text) ?? error,
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
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    />
  );
}
