import { t } from '@lingui/core/macro';
import { Hint } from '../components/Hint.tsx';
import { isPlainDate, longDay, shortDay } from '../components/record-days.ts';
import { exactMoment, momentInWords, todayInWords } from '../components/time.ts';
import classes from './RecordDate.module.css';

interface RecordDateProps {
  date: string;
  nowMs: number;
}

/** The day and its age; on hover the exact time, or the weekday of a date without a time. */
export function RecordDate({ date, nowMs }: RecordDateProps) {
  const momentMs = Date.parse(date);
  if (Number.isNaN(momentMs)) return <bdi>{date}</bdi>;
  const exact = isPlainDate(date) ? t`${longDay(date)}, without a time` : exactMoment(momentMs);
  return (
    <Hint label={exact} isTouchable>
      {(target) => (
        <time {...target} dateTime={date} className={classes.date}>
          {shortDay(date)} <span className={classes.words}>{ageInWords(date, nowMs)}</span>
        </time>
      )}
    </Hint>
  );
}

/** The age of a date without a time is counted in days: "today" rather than "5 hours ago". */
function ageInWords(date: string, nowMs: number): string {
  if (!isPlainDate(date)) return pastInWords(Date.parse(date), nowMs);
  const now = new Date(nowMs);
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return Date.parse(date) === today ? todayInWords() : momentInWords(Date.parse(date), today);
}

/** This browser's clock may be behind the service's: a past event must not be shown as a future one. */
function pastInWords(momentMs: number, nowMs: number): string {
  const isPast = momentMs - nowMs < 30_000;
  return momentInWords(isPast ? Math.min(momentMs, nowMs) : momentMs, nowMs);
}
