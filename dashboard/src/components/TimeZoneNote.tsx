import { pageTimeZone } from './time-zone.ts';

/** Shows the time zone of the page. */
export function TimeZoneNote() {
  return <span>Times are in {pageTimeZone()}.</span>;
}
