import type { AuditEntry } from '../api/audit.ts';

export interface AuditDay {
  /** The day's first moment, to tell the days apart. */
  startMs: number;
  title: string;
  entries: AuditEntry[];
}

const thisYear = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const otherYear = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Entries, newest first, by the reader's own days. */
export function groupByDay(entries: readonly AuditEntry[], nowMs: number): AuditDay[] {
  const days: AuditDay[] = [];
  for (const entry of entries) {
    const startMs = startOfDay(Date.parse(entry.createdAt));
    const last = days.at(-1);
    if (last && last.startMs === startMs) last.entries.push(entry);
    else days.push({ startMs, title: dayTitle(startMs, nowMs), entries: [entry] });
  }
  return days;
}

/** "14:03", in the reader's time zone. */
export function clockTime(momentMs: number): string {
  return Number.isNaN(momentMs) ? '' : clock.format(momentMs);
}

function dayTitle(startMs: number, nowMs: number): string {
  if (Number.isNaN(startMs)) return 'Unknown day';
  const today = startOfDay(nowMs);
  if (startMs === today) return 'Today';
  // A day can have 23 or 25 hours; its own middle is the safe way to the day before.
  if (startMs === startOfDay(today - 12 * 3_600_000)) return 'Yesterday';
  const isThisYear = new Date(startMs).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? thisYear : otherYear).format(startMs);
}

function startOfDay(momentMs: number): number {
  const moment = new Date(momentMs);
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
