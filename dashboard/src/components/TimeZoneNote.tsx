import { Trans } from '@lingui/react/macro';
import { calendarZone, pageTimeZone } from './time-zone.ts';

/** Names the guild's calendar and the time zone of the times of day. */
export function TimeZoneNote() {
  const [days, times] = [calendarZone(), pageTimeZone()];
  if (days === times)
    return (
      <span>
        <Trans>Days and times are in {days}.</Trans>
      </span>
    );
  return (
    <span>
      <Trans>
        Days are in {days}, times in {times}.
      </Trans>
    </span>
  );
}
