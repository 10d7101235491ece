import { isPlainDate } from '../components/record-days.ts';

/** The value of the browser's date field: "2024-11-23", or "2024-11-25T18:48:51" in the reader's time zone. */
export interface DateInput {
  hasTime: boolean;
  value: string;
}

export function toDateInput(date: string): DateInput {
  if (isPlainDate(date)) return { hasTime: false, value: date };
  const momentMs = Date.parse(date);
  return { hasTime: true, value: Number.isNaN(momentMs) ? '' : localText(momentMs) };
}

/** The date for the service; undefined when the input is empty or incomplete. */
export function fromDateInput({ hasTime, value }: DateInput): string | undefined {
  if (!hasTime) return isPlainDate(value) ? value : undefined;
  const momentMs = value === '' ? Number.NaN : new Date(value).getTime();
  return Number.isNaN(momentMs) ? undefined : new Date(momentMs).toISOString();
}

/** The same day with or without a time, for when the reader switches. */
export function withTime({ value }: DateInput, hasTime: boolean): DateInput {
  if (value === '') return { hasTime, value };
  return { hasTime, value: hasTime ? `${value.slice(0, 10)}T12:00` : value.slice(0, 10) };
}

/** The present minute, for a new record. */
export function nowInput(nowMs: number, hasTime: boolean): DateInput {
  return { hasTime, value: localText(nowMs).slice(0, hasTime ? 16 : 10) };
}

function localText(momentMs: number): string {
  const moment = new Date(momentMs);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}
