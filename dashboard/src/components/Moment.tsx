import { Tooltip } from '@mantine/core';
import classes from './Moment.module.css';
import { exactMoment, momentInWords, shortMoment } from './time.ts';

/** A moment in words, with the exact time on hover or touch. */
export function Moment({ at, nowMs }: { at: string; nowMs: number }) {
  const momentMs = Date.parse(at);
  if (Number.isNaN(momentMs)) return <span>Unknown</span>;
  // What the service's clock says happened must not be told as lying ahead of this browser's clock.
  const isPast = momentMs - nowMs < 30_000;
  return (
    <Tooltip label={exactMoment(momentMs)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at}>
        {isPast ? momentInWords(Math.min(momentMs, nowMs), nowMs) : momentInWords(momentMs, nowMs)}
      </time>
    </Tooltip>
  );
}

/** A moment exactly, with the words for it below. */
export function MomentBoth({ at, nowMs }: { at: string; nowMs: number }) {
  const momentMs = Date.parse(at);
  if (Number.isNaN(momentMs)) return <span>Unknown</span>;
  return (
    <time dateTime={at} className={classes.both} title={exactMoment(momentMs)}>
      <span>{shortMoment(momentMs)}</span>
      <span className={classes.words}>{momentInWords(Math.min(momentMs, nowMs), nowMs)}</span>
    </time>
  );
}
