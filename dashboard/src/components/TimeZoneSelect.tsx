import { t } from '@lingui/core/macro';
import { Select, type SelectProps } from '@mantine/core';
import { zonedFormat } from './time-zone.ts';

const clock = zonedFormat({ weekday: 'short', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

interface TimeZoneSelectProps extends Omit<SelectProps, 'data' | 'value' | 'description' | 'searchable'> {
  value: string | null;
  /** The zone whose present time is shown while none is chosen. */
  usual: string;
  /** The stored zone, which is offered even if this browser does not know it. */
  stored: string | null;
  /** Shown before the present time. */
  explanation?: string;
}

/** A searchable list of time zones, with the present time of the chosen one. */
export function TimeZoneSelect({ value, usual, stored, explanation, ...props }: TimeZoneSelectProps) {
  const now = t`It is ${clock(Date.now(), value ?? usual)} there.`;
  return (
    <Select
      data={zones(stored)}
      value={value}
      description={explanation === undefined ? now : `${explanation} ${now}`}
      searchable
      nothingFoundMessage={t`No zone has this name`}
      maxDropdownHeight={220}
      limit={200}
      {...props}
    />
  );
}

/** All zones that the browser knows, UTC first, and the stored one. */
function zones(stored: string | null): string[] {
  return [...new Set(['UTC', ...(stored === null ? [] : [stored]), ...Intl.supportedValuesOf('timeZone')])];
}
