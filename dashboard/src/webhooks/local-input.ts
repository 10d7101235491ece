/** A moment in the format of the browser's date and time field, in the reader's time zone, to the minute. */
export function localInput(momentMs: number): string {
  const offsetMs = new Date(momentMs).getTimezoneOffset() * 60_000;
  return new Date(momentMs - offsetMs).toISOString().slice(0, 16);
}
