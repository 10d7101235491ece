import { calendarZone, pageTimeZone } from './time-zone.ts';

/** Names the guild's calendar and the time zone of the times of day. */
export function TimeZoneNote() {
  const [days, times] = [calendarZone(), pageTimeZone()];
  if (days === times) return <span>Days and times are in {days}.</span>;
  return (
    <span>
      Days are in {days}, times in {times}.
    </span>
  );
}
