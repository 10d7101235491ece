import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Input, Popover, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import classes from './DateRangeField.module.css';
import {
  type DateRange,
  daysOfRange,
  lastMonths,
  noRange,
  presetLabels,
  type RangeValues,
  rangePresets,
} from './date-range.ts';
import { calendarZone, dayInZone } from './time-zone.ts';
import { useIsPhone } from './use-is-narrow.ts';

// The calendar is large, so it is loaded only when it is opened.
const loadCalendar = () => import('./DayRangeCalendar.tsx');
const DayRangeCalendar = lazy(async () => ({ default: (await loadCalendar()).DayRangeCalendar }));

const monthsOffered = 6;

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
  if (label === undefined) return <RangePopover {...field} />;
  return (
    <Input.Wrapper label={label} labelElement="div" className={classes.labelled ?? ''}>
      <RangePopover {...field} />
    </Input.Wrapper>
  );
}

function RangePopover({
  range,
  nowMs,
  onChange,
  zone = calendarZone(),
  children,
}: Omit<DateRangeFieldProps, 'label'>) {
  const [isOpen, popover] = useDisclosure(false);
  const isPhone = useIsPhone();
  const choose = (values: Partial<RangeValues>) => {
    popover.close();
    onChange({ ...noRange, ...values });
  };
  const days = daysOfRange(range, zone);
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && popover.close()}
      position={isPhone ? 'bottom' : 'bottom-start'}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          className={classes.target}
          leftSection={<IconCalendar size={17} stroke={1.7} />}
          rightSection={<IconChevronDown size={15} stroke={1.7} />}
          aria-label={t`Date range: ${range.label}`}
          onClick={popover.toggle}
          onMouseEnter={loadCalendar}
          onFocus={loadCalendar}
        >
          {range.label}
        </Button>
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
            <Suspense fallback={<Skeleton className={classes.calendar ?? ''} />}>
              <DayRangeCalendar
                since={days.since}
                until={days.until}
                onChange={choose}
                dayMax={dayInZone(nowMs, zone)}
              />
            </Suspense>
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
