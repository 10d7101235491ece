import { Autocomplete, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDraft } from './use-draft.ts';

interface FilterTextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  /** Offered while typing; anything else can be typed, too. */
  suggestions?: readonly string[];
  inputMode?: 'text' | 'decimal';
  /** What is wrong with a text, in words; one with a fault is not handed over. */
  faultOf?: (text: string) => string | undefined;
  error?: ReactNode;
  /** Counts while it is being typed, too, after a short pause: for a search, of which every beginning is one. */
  isSearch?: boolean;
}

/** A text that narrows a list down: it counts on Enter, when the field is left, and when a suggestion is chosen. */
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
