import { t } from '@lingui/core/macro';
import type { AuditEntry } from '../api/audit.ts';
import { calendarZone, dayInZone, startOfDayInZone, zonedFormat } from '../components/time-zone.ts';

export interface AuditDay {
  /** The first moment of the day, which identifies it. */
  startMs: number;
  title: string;
  entries: AuditEntry[];
}

const thisYear = zonedFormat({ weekday: 'long', day: 'numeric', month: 'long' });
const otherYear = zonedFormat({ dateStyle: 'full' });
const clock = zonedFormat({ hour: '2-digit', minute: '2-digit' });

/** Groups entries, newest first, by days of the guild's calendar. */
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

/** "14:03", in the guild's calendar, below whose day it is shown. */
export function clockTime(momentMs: number): string {
  return Number.isNaN(momentMs) ? '' : clock(momentMs, calendarZone());
}

function dayTitle(startMs: number, nowMs: number): string {
  if (Number.isNaN(startMs)) return t`Unknown day`;
  const today = startOfDay(nowMs);
  if (startMs === today) return t`Today`;
  // A day can have 23 or 25 hours, so 12 hours before its start is always within the day before.
  if (startMs === startOfDay(today - 12 * 3_600_000)) return t`Yesterday`;
  const isThisYear = dayInZone(startMs).slice(0, 4) === dayInZone(nowMs).slice(0, 4);
  return (isThisYear ? thisYear : otherYear)(startMs, calendarZone());
}

function startOfDay(momentMs: number): number {
  return Number.isNaN(momentMs) ? momentMs : startOfDayInZone(dayInZone(momentMs));
}
