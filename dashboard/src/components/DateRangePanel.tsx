import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DateRangeField.module.css';
import { DayRangeCalendar } from './DayRangeCalendar.tsx';
import {
  type DateRange,
  daysOfRange,
  lastMonths,
  noRange,
  presetLabels,
  type RangeValues,
  rangePresets,
} from './date-range.ts';
import { OpenerTarget, useMenuState } from './OpenerTarget.tsx';
import { calendarZone, dayInZone } from './time-zone.ts';
import { useIsPhone } from './use-is-narrow.ts';
import type { Opened } from './use-opener.ts';

const monthsOffered = 6;

interface DateRangePanelProps {
  opened: Opened;
  range: DateRange;
  nowMs: number;
  onChange: (values: RangeValues) => void;
  zone?: string | undefined;
  children?: ReactNode | undefined;
}

/** The panel of the date range: presets, months and a calendar. */
export function DateRangePanel(props: DateRangePanelProps) {
  const { opened, range, nowMs, onChange, zone = calendarZone(), children } = props;
  const state = useMenuState(opened);
  const isPhone = useIsPhone();
  const choose = (values: Partial<RangeValues>) => {
    opened.onChange(false);
    onChange({ ...noRange, ...values });
  };
  const days = daysOfRange(range, zone);
  return (
    <Popover {...state} position={isPhone ? 'bottom' : 'bottom-start'} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <OpenerTarget target={opened.target} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Date range`} className={classes.dropdown ?? ''}>
        <div className={classes.choices}>
          <ul className={classes.presets} aria-label={t`Ranges`}>
            {rangePresets.map((preset) => (
              <li key={preset}>
                <Choice isChosen={range.preset === preset} onClick={() => choose({ range: preset })}>
                  {presetLabels()[preset]}
                </Choice>
              </li>
            ))}
          </ul>
          <div>
            <ul className={classes.months} aria-label={t`Months`}>
              {lastMonths(nowMs, monthsOffered, zone).map(({ label, since, until }) => (
                <li key={since}>
                  <Choice
                    isChosen={range.preset === undefined && days.since === since && days.until === until}
                    onClick={() => choose({ since, until })}
                  >
                    {label}
                  </Choice>
                </li>
              ))}
            </ul>
            <DayRangeCalendar
              since={days.since}
              until={days.until}
              onChange={choose}
              dayMax={dayInZone(nowMs, zone)}
            />
          </div>
        </div>
        {children}
        <p className={classes.zone}>
          <Trans>Days are in {zone}.</Trans>
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  onClick: () => void;
  children: string;
}

function Choice({ isChosen, onClick, children }: ChoiceProps) {
  return (
    <Button
      variant={isChosen ? 'light' : 'subtle'}
      color={isChosen ? '' : 'gray'}
      size="compact-sm"
      justify="flex-start"
      fullWidth
      className={classes.choice ?? ''}
      aria-pressed={isChosen}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
