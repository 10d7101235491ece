import { t } from '@lingui/core/macro';
import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';

interface SearchInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Called when Enter is pressed. */
  onSubmit?: () => void;
  /** Shown at the right of an empty field, for a shortcut. */
  hint?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function SearchInput({ label, value, onChange, onSubmit, hint, ref }: SearchInputProps) {
  const clear = <CloseButton size="sm" aria-label={t`Clear the search`} onClick={() => onChange('')} />;
  return (
    <TextInput
      ref={ref ?? null}
      role="searchbox"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      value={value}
      leftSection={<IconSearch size={16} stroke={1.7} />}
      rightSection={value === '' ? hint : clear}
      rightSectionPointerEvents={value === '' ? 'none' : 'all'}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSubmit?.();
        if (event.key === 'Escape' && value !== '') {
          event.stopPropagation();
          onChange('');
        }
      }}
    />
  );
}
