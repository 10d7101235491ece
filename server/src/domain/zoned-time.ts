import { assertTimeZone } from './access/preferences.ts';

/**
 * Returns a formatter of times as ISO 8601 in a time zone, with its offset from UTC: `2027-01-31T14:03:00.000+01:00`.
 * Without a zone it uses UTC.
 */
export function createTimeWriter(timeZone: string | undefined): (atMs: number) => string {
  if (timeZone === undefined) {
    return (atMs) => new Date(atMs).toISOString();
  }
  assertTimeZone(timeZone);
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const [, sign = '+', hours = '00', minutes = '00', seconds = '00'] =
      /^GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(name) ?? [];
    const distanceMs =
      (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    // Old offsets have seconds, which ISO 8601 cannot express. Such a time is written in UTC.
    const shown = new Date(atMs + distanceMs).toISOString().slice(0, -1);
    return seconds === '00' ? `${shown}${sign}${hours}:${minutes}` : new Date(atMs).toISOString();
  };
}
