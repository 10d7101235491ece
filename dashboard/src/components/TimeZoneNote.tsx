import { pageTimeZone } from './time-zone.ts';

/** Says in which zone the page's times are. */
export function TimeZoneNote() {
  return <span>Times are in {pageTimeZone()}.</span>;
}
