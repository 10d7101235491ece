import { Trans } from '@lingui/react/macro';
import { Hint } from './Hint.tsx';
import classes from './Moment.module.css';
import { exactMoment, momentInWords, shortMomentParts } from './time.ts';

/** A relative time, with the exact time on hover or touch. */
export function Moment({ at, nowMs }: { at: string; nowMs: number }) {
  const momentMs = Date.parse(at);
  if (Number.isNaN(momentMs))
    return (
      <span>
        <Trans>Unknown</Trans>
      </span>
    );
  // This browser's clock may be behind the service's: a past event must not be shown as a future one.
  const isPast = momentMs - nowMs < 30_000;
  return (
    <Hint label={exactMoment(momentMs)} isTouchable>
      {(target) => (
        <time {...target} dateTime={at}>
          {isPast ? momentInWords(Math.min(momentMs, nowMs), nowMs) : momentInWords(momentMs, nowMs)}
        </time>
      )}
    </Hint>
  );
}

/** The exact time, with the relative time below. */
export function MomentBoth({ at, nowMs }: { at: string; nowMs: number }) {
  const momentMs = Date.parse(at);
  if (Number.isNaN(momentMs))
    return (
      <span>
        <Trans>Unknown</Trans>
      </span>
    );
  const [day, clock] = shortMomentParts(momentMs);
  return (
    <time dateTime={at} className={classes.both} title={exactMoment(momentMs)}>
      <span>
        <span>{day}</span>
        <span>{clock}</span>
      </span>
      <span className={classes.words}>{momentInWords(Math.min(momentMs, nowMs), nowMs)}</span>
    </time>
  );
}

/** The exact time with its seconds and zone, for details, with the relative time below. */
export function MomentExact({ at, nowMs }: { at: string; nowMs: number }) {
  const momentMs = Date.parse(at);
  return (
    <time dateTime={at} className={classes.exact}>
      <span>{exactMoment(momentMs)}</span>
      <span className={classes.words}>{momentInWords(Math.min(momentMs, nowMs), nowMs)}</span>
    </time>
  );
}
