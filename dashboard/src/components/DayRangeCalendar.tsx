import { t } from '@lingui/core/macro';
import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import { useState } from 'react';
import { calendarLanguage } from './calendar-language.ts';
import classes from './DayRangeField.module.css';
import type { DayRange } from './days.ts';

interface DayRangeCalendarProps extends DayRange {
  onChange: (range: DayRange) => void;
  dayMax: string | undefined;
}

/**
 * A calendar for a range of days. The range is applied when both ends are chosen; the same day twice selects one day.
 */
export function DayRangeCalendar({ since, until, onChange, dayMax }: DayRangeCalendarProps) {
  const [value, setValue] = useState<[string | null, string | null]>([since || null, until || null]);
  const choose = (next: [string | null, string | null]) => {
    setValue(next);
    const [first, last] = next;
    if (first !== null && last !== null) onChange({ since: first, until: last });
  };
  const shown = until || since;
  return (
    <DatePicker
      {...calendarLanguage}
      type="range"
      allowSingleDateInRange
      hideOutsideDates
      value={value}
      onChange={choose}
      {...(shown === '' ? {} : { defaultDate: shown })}
      {...(dayMax === undefined ? {} : { maxDate: dayMax })}
      classNames={{ day: classes.day ?? '' }}
      ariaLabels={{
        previousMonth: t`Previous month`,
        nextMonth: t`Next month`,
        previousYear: t`Previous year`,
        nextYear: t`Next year`,
        previousDecade: t`Previous decade`,
        nextDecade: t`Next decade`,
        monthLevelControl: t`Choose the month`,
        yearLevelControl: t`Choose the year`,
      }}
    />
  );
}
