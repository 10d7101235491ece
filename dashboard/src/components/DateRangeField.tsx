import { t } from '@lingui/core/macro';
import { Button, Input } from '@mantine/core';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { createLazy } from './create-lazy.tsx';
import classes from './DateRangeField.module.css';
import type { DateRange, RangeValues } from './date-range.ts';
import { useOpener } from './use-opener.ts';

// The calendar is large, so it is loaded only when it is opened.
const rangePanel = createLazy(async () => (await import('./DateRangePanel.tsx')).DateRangePanel);

interface DateRangeFieldProps {
  range: DateRange;
  nowMs: number;
  onChange: (values: RangeValues) => void;
  /** The time zone of the days; by default the guild's calendar. */
  zone?: string;
  /** Shown above the field, among other fields that have labels. */
  label?: string;
  /** Further controls below the choice, such as a comparison. */
  children?: ReactNode;
}

/** Selects the range of time of a page: a preset, a month, or days in a calendar. */
export function DateRangeField({ label, ...field }: DateRangeFieldProps) {
  if (label === undefined) return <RangeButton {...field} />;
  return (
    <Input.Wrapper label={label} labelElement="div" className={classes.labelled ?? ''}>
      <RangeButton {...field} />
    </Input.Wrapper>
  );
}

function RangeButton(field: Omit<DateRangeFieldProps, 'label'>) {
  const { range } = field;
  const { control, opened } = useOpener('dialog', rangePanel.load);
  return (
    <>
      <Button
        {...control}
        variant="default"
        className={classes.target}
        leftSection={<IconCalendar size={17} stroke={1.7} />}
        rightSection={<IconChevronDown size={15} stroke={1.7} />}
        aria-label={t`Date range: ${range.label}`}
      >
        {range.label}
      </Button>
      {opened && (
        <Suspense>
          <rangePanel.Content {...field} opened={opened} />
        </Suspense>
      )}
    </>
  );
}
