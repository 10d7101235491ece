import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Popover, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import classes from './DayRangeField.module.css';
import { type DayRange, formatDay, formatDays } from './days.ts';

// The calendar is large, so it is loaded only when it is opened.
const loadCalendar = () => import('./DayRangeCalendar.tsx');
const DayRangeCalendar = lazy(async () => ({ default: (await loadCalendar()).DayRangeCalendar }));

interface DayRangeFieldProps extends DayRange {
  /** The label for screen readers, such as "Date of the discharge". */
  label: string;
  onChange: (range: DayRange) => void;
  /** The button's text while no day is chosen. */
  placeholder?: string;
  isClearable?: boolean;
  /** The last selectable day. */
  dayMax?: string;
}

/** A range of days, chosen in a calendar. */
export function DayRangeField(props: DayRangeFieldProps) {
  const { label, since, until, onChange, placeholder = t`Any date`, isClearable = false, dayMax } = props;
  const [isOpen, popover] = useDisclosure(false);
  const isEmpty = since === '' && until === '';
  const range = rangeText({ since, until }, placeholder);
  const choose = (chosen: DayRange) => {
    popover.close();
    onChange(chosen);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && popover.close()}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          fullWidth
          justify="flex-start"
          className={classes.target}
          data-empty={isEmpty || undefined}
          leftSection={<IconCalendar size={17} stroke={1.7} />}
          aria-label={t`${label}: ${range}`}
          onClick={popover.toggle}
          onMouseEnter={loadCalendar}
          onFocus={loadCalendar}
        >
          {range}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Suspense fallback={<Skeleton className={classes.calendar ?? ''} />}>
          <DayRangeCalendar since={since} until={until} onChange={choose} dayMax={dayMax} />
        </Suspense>
        {isClearable && !isEmpty && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            mt="xs"
            onClick={() => choose({ since: '', until: '' })}
          >
            <Trans>Any date</Trans>
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function rangeText({ since, until }: DayRange, placeholder: string): string {
  if (since !== '' && until !== '') return formatDays(since, until);
  if (since !== '') return t`From ${formatDay(since)}`;
  if (until !== '') return t`Until ${formatDay(until)}`;
  return placeholder;
}
