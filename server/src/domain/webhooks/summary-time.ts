const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const SUMMARY_HOUR = 8;
export const WEEK_MS = 7 * DAY_MS;

/** The summary of a week is sent on the following Monday at 08:00 UTC. */
export function nextSummaryAt(nowMs: number): number {
  const offsetMs = FIRST_MONDAY_MS + SUMMARY_HOUR * HOUR_MS;
  return offsetMs + (Math.floor((nowMs - offsetMs) / WEEK_MS) + 1) * WEEK_MS;
}

/** The last whole week before a time: Monday to Sunday. */
export function weekBefore(atMs: number): { sinceMs: number; untilMs: number } {
  const untilMs = FIRST_MONDAY_MS + Math.floor((atMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;
  return { sinceMs: untilMs - WEEK_MS, untilMs };
}
