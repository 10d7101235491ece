import { t } from '@lingui/core/macro';
import { Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './RecordDialog.module.css';
import { type DateInput, withTime } from './record-date.ts';
import type { RecordKind } from './record-kinds.ts';

interface DateFieldProps {
  id: string;
  kind: RecordKind;
  value: DateInput;
  onChange: (value: DateInput) => void;
  error: ReactNode;
}

/** The browser's own date field, which also works well on a phone. */
export function DateField({ id, kind, value, onChange, error }: DateFieldProps) {
  return (
    <div className={classes.date}>
      <TextInput
        id={id}
        type={value.hasTime ? 'datetime-local' : 'date'}
        label={value.hasTime ? t`Date and time` : t`Date`}
        description={kind.dateExplanation}
        required
        max={value.hasTime ? '9999-12-31T23:59:59' : '9999-12-31'}
        // Allows seconds.
        step={value.hasTime ? 1 : undefined}
        value={value.value}
        onChange={(event) => onChange({ ...value, value: event.currentTarget.value })}
        error={error}
      />
      {kind.allowsPlainDate && (
        <Checkbox
          label={t`With a time, in your time zone`}
          size="xs"
          checked={value.hasTime}
          onChange={(event) => onChange(withTime(value, event.currentTarget.checked))}
        />
      )}
    </div>
  );
}
