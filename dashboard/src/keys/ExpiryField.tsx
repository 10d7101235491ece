import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/dates/styles.layer.css';
import { Button } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { calendarLanguage } from '../components/calendar-language.ts';
import { dayInWords } from '../components/time.ts';
import { useNow } from '../components/use-now.ts';
import classes from './Dialogs.module.css';
import { allowedPresets, expiryRange, presetValue, toCalendarValue } from './expiry.ts';

interface ExpiryFieldProps {
  id: string;
  daysMax: number;
  value: string | null;
  onChange: (value: string | null) => void;
  error: ReactNode;
}

/** Selects the expiry of a key: one of the presets, or any moment in the calendar. */
export function ExpiryField({ id, daysMax, value, onChange, error }: ExpiryFieldProps) {
  const nowMs = useNow();
  const { minMs, maxMs } = expiryRange(nowMs, daysMax);
  return (
    <div>
      <p className={classes.label} id={`${id}-presets`}>
        <Trans>Lifetime</Trans>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a second, visible legend. */}
      <div className={classes.presets} role="group" aria-labelledby={`${id}-presets`}>
        {allowedPresets(daysMax).map((days) => {
          const isChosen = value?.slice(0, 10) === presetValue(days, nowMs).slice(0, 10);
          return (
            <Button
              key={days}
              size="compact-sm"
              variant={isChosen ? 'filled' : 'default'}
              aria-pressed={isChosen}
              onClick={() => onChange(presetValue(days, Date.now()))}
            >
              <Trans>{days} days</Trans>
            </Button>
          );
        })}
      </div>
      <DateTimePicker
        {...calendarLanguage}
        id={id}
        // The same id again, so that the calendar gets the label of its field.
        popoverProps={{ id }}
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
        label={t`Expires`}
        value={value}
        onChange={onChange}
        error={error}
        valueFormat={t`D MMMM YYYY, HH:mm`}
        minDate={toCalendarValue(minMs)}
        maxDate={toCalendarValue(maxMs)}
        leftSection={<IconCalendar size={17} stroke={1.7} />}
        highlightToday
        required
        submitButtonProps={{ 'aria-label': t`Use this date and time` }}
        timePickerProps={{ 'aria-label': t({ message: 'Time', context: 'time of day' }) }}
      />
      <p className={classes.range}>
        <Trans>
          Between 1 hour and {daysMax} days from now, that is until {dayInWords(maxMs)}. Times are in your
          time zone.
        </Trans>
      </p>
    </div>
  );
}
