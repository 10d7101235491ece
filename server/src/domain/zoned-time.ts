import { assertTimeZone } from './access/preferences.ts';

/**
 * Writes moments as ISO 8601, in a time zone with its distance from UTC: `2027-01-31T14:03:00.000+01:00`. Without a zone in UTC.
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
    // Of times before zones had whole minutes the seconds are left out, as ISO 8601 has no place for them.
    const shown = new Date(atMs + distanceMs).toISOString().slice(0, -1);
    return seconds === '00' ? `${shown}${sign}${hours}:${minutes}` : new Date(atMs).toISOString();
  };
}
